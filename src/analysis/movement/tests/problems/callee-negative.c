/* `w` in `main`, lines 27 to 32 */
extent(0, 100);
parts();
{ /* residency */
    launch(must, 0, 100, may, 0, 100);
    launch(reads, 0, 24);
}
kernel_may(0, 1, 0, 1);
reads(0, 100);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
from [0, 100) before launch(reads, 0, 24);
*/
