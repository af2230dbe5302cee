/* `box->y` in `main`, lines 26 to 30 */
extent(0, n);
assume(n);
defines(n);
if (c) {
    return;
}
writes(0, n);
{ /* residency */
    for (; surely; ) {
        kernel(0, n, 0, n);
    }
}
if (c) {
    goto out;
}
for (; c; ) {
    kernel(0, n, 0, n);
}
out:;
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, n) after kernel(0, n, 0, n);
*/
