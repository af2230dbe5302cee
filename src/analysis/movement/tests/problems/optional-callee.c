/* `v` in `drive`, lines 170 to 171 */
extent(0, n);
assume(n-500);
assume(500-n);
live(0, n);
{ /* residency */
    for (; surely; ) {
        kernel_may(0, n, 0, n);
    }
}
for (; surely; ) {
    kernel_may(0, n/k, 0, n/k);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, n) after kernel_may(0, n, 0, n);
*/
