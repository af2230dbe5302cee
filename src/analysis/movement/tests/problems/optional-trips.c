/* `v` in `main`, lines 138 to 139 */
extent(0, 4000);
parts();
defines(steps);
kernel_may(0, 4000, 0, 4000);
kernel_may(0, 4000, 0, 4000);
kernel_may(0, 4000, 0, 4000);
kernel_may(0, 4000, 0, 4000);
{ /* residency */
    kernel_may(0, 1000, 0, 1000);
    kernel_may(0, 4000/steps, 0, 4000/steps);
}
kernel_may(0, 4000, 0, 4000);
kernel_may(0, 4000, 0, 4000);
kernel_may(0, 4000, 0, 4000);
reads(0, 4000), may_write(0, 4000);
reads(0, 4000);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
to [0, 1000) before kernel_may(0, 1000, 0, 1000);
to [0, 4000/steps) before kernel_may(0, 1000, 0, 1000);
from [0, 1000) after kernel_may(0, 4000/steps, 0, 4000/steps);
from [0, 4000/steps) after kernel_may(0, 4000/steps, 0, 4000/steps);
*/

/* placed: after each kernel; after each kernel, no speculation
to [0, 1000) before kernel_may(0, 1000, 0, 1000);
to [0, 4000/steps) before kernel_may(0, 1000, 0, 1000);
from [0, 1000) before kernel_may(0, 4000/steps, 0, 4000/steps);
from [0, 4000/steps) after kernel_may(0, 4000/steps, 0, 4000/steps);
*/
