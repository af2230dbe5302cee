/* `v` in `main`, lines 39 to 46 */
extent(0, 16);
for (int v; c; ) {
    { /* residency */
        if (c) {
            kernel_may(0, 16, 0, 16);
        }
        else {
            reads(v, v+1), writes(v, v+1), defines(v);
        }
    }
}
reads(0, 16);
return;

/* placed: late; late, no speculation; early; early, no speculation; after each kernel; after each kernel, no speculation
to [0, 16) before kernel_may(0, 16, 0, 16);
from [0, 16) after kernel_may(0, 16, 0, 16);
*/

/* placed: eager; eager, no speculation
in: all
from [0, 16) after kernel_may(0, 16, 0, 16);
*/
