/* `v` in `main`, lines 36 to 48 */
extent(0, 16);
parts();
{ /* residency */
    launch(must, 0, 16, may, 0, 16);
    if (c) ;
    else {
        for (; surely; ) {
            kernel_may(0, 12*argc, 0, 12*argc);
        }
    }
    kernel(0, 8*argc, 0, 8*argc);
}
reads(0, 16);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
from [0, 16) before if (c) ;
from [0, 12*argc) after kernel_may(0, 12*argc, 0, 12*argc);
from [0, 8*argc) after kernel(0, 8*argc, 0, 8*argc);
*/
