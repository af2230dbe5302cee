/* `w` in `main`, lines 105 to 106 */
extent(0, s_grid__n);
assume(s_grid__n);
may_write(0, s_grid__n);
for (; surely; ) {
    kernel_may(0, s_grid__n, 0, s_grid__n);
}
reads(0, s_grid__n);
reads(0, s_grid__n);
for (; surely; ) {
    reads(0, s_grid__n), may_write(0, s_grid__n);
}
reads(0, s_grid__n);
reads(0, s_grid__n);
defines(s_grid__n);
{ /* residency */
    for (; surely; ) {
        kernel(0, s_grid__n, 0, s_grid__n);
    }
}
for (; surely; ) {
    kernel_may(0, s_grid__n, 0, s_grid__n);
    kernel(0, s_grid__n, 0, s_grid__n);
}
reads(0, s_grid__n);
reads(0, 12);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, s_grid__n) after kernel(0, s_grid__n, 0, s_grid__n);
*/
