/* `a` in `main`, lines 25 to 35 */
extent(0, 32);
if (c) {
    return;
}
writes(0, 32);
{ /* residency */
    for (; surely; ) {
        kernel(0, 32, 0, 32);
        if (c) {
            continue;
        }
        reads(0, 32);
    }
}
reads(0, 32);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
from [0, 32) before reads(0, 32);
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, 32) before if (c) {
*/
