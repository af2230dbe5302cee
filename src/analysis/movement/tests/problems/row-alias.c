/* `grid` in `main`, lines 27 to 33 */
extent(0, 56);
parts();
writes(0, 56);
{ /* residency */
    launch(must, 0, 56, may, 0, 56);
    launch(must, 0, 7, may, 0, 7);
}
reads(0, 56);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
from [7, 56) before launch(must, 0, 7, may, 0, 7);
from [0, 7) after launch(must, 0, 7, may, 0, 7);
*/
