/* `b` in `main`, lines 30 to 36 */
extent(0, n);
assume(n);
defines(n);
if (c) {
    return;
}
writes(0, n);
for (; surely; ) {
    { /* residency */
        kernel(0, n, 0, n);
        if (reads(3, 4)) {
            break;
        }
        launch(reads, 0, n);
    }
}
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
from [0, n) before if (reads(3, 4)) {
*/
