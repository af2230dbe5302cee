/* `b` in `main`, lines 57 to 73 */
extent(0, 20);
parts();
if (c) {
    return;
}
writes(0, 20);
{ /* residency */
    kernel_may(0, 20, 0, 20);
    kernel(0, 16, 2, 14);
    reads(1, 18);
    if (c) {
        for (; c; ) {
            for (; surely; ) {
                launch(reads, 0, 20);
            }
        }
    }
    else {
        launch(must, 0, 20, may, 0, 20);
    }
}
reads(0, 20);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
from [1, 18) before reads(1, 18);
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, 2) before kernel(0, 16, 2, 14);
from [14, 20) before kernel(0, 16, 2, 14);
from [2, 14) before reads(1, 18);
from [0, 20) after launch(must, 0, 20, may, 0, 20);
*/
