/* `b` in `main`, lines 45 to 48 */
extent(0, 10);
if (c) {
    return;
}
writes(0, 10);
for (; surely; ) {
    { /* residency */
        if (launch(may, 0, 10)) {
        }
        if (launch(reads, 0, 10)) {
            break;
        }
    }
}
reads(0, 10);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, 10) else of if (launch(may, 0, 10)) {
from [0, 10) before if (launch(reads, 0, 10)) {
*/
