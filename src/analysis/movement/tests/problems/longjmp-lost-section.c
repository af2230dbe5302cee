/* `v` in `main`, lines 37 to 49 */
extent(0, 16);
parts();
{ /* residency */
    launch(must, 0, argc+15, may, 0, argc+15);
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
conflict: the kernel needs here what may be newer on the host, and no copy can be shown to be right
*/

/* placed: after each kernel
to [argc+15, 8*argc) before launch(must, 0, argc+15, may, 0, argc+15);
from [0, argc+15) before if (c) ;
to [0, 8*argc) before for (; surely; ) {
to [0, 12*argc) before for (; surely; ) {
from [0, 12*argc) after kernel_may(0, 12*argc, 0, 12*argc);
to [0, 8*argc) before kernel(0, 8*argc, 0, 8*argc);
from [0, 8*argc) after kernel(0, 8*argc, 0, 8*argc);
*/

/* placed: after each kernel, no speculation
from [0, argc+15) before if (c) ;
to [0, 12*argc) before kernel_may(0, 12*argc, 0, 12*argc);
from [0, 12*argc) after kernel_may(0, 12*argc, 0, 12*argc);
to [0, 8*argc) before kernel(0, 8*argc, 0, 8*argc);
from [0, 8*argc) after kernel(0, 8*argc, 0, 8*argc);
*/
