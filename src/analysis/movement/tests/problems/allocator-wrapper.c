/* `d` in `main`, lines 59 to 80 */
extent(0, (argc+98)*argc+2001);
assume((argc+98)*argc+2001);
assume(argc);
parts();
writes(0, (argc+98)*argc+2001);
{ /* residency */
    for (; surely; ) {
        kernel_may(0, (argc+1999)/2, 0, (argc+1999)/2);
        kernel_may((argc+1999)/2, argc+1999, (argc+1999)/2, argc+1999);
    }
}
reads(0, (argc+98)*argc+2001);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
to [0, argc+1999) before for (; surely; ) {
from [0, argc+1999) after for (; surely; ) {
*/

/* placed: after each kernel; after each kernel, no speculation
to [0, argc+1999) before for (; surely; ) {
from [0, (argc+1999)/2) before kernel_may((argc+1999)/2, argc+1999, (argc+1999)/2, argc+1999);
from [(argc+1999)/2, argc+1999) after kernel_may((argc+1999)/2, argc+1999, (argc+1999)/2, argc+1999);
*/
