/* `v` in `all`, lines 24 to 27 */
extent(0, n);
assume(n);
live(0, n);
{ /* residency */
    for (; surely; ) {
        kernel_may(0, n, 0, n);
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, n) after kernel_may(0, n, 0, n);
*/
