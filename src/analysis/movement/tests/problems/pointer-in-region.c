/* `a` in `main`, lines 27 to 37 */
extent(0, 24);
parts();
writes(0, 24);
{ /* residency */
    launch(reads, 0, 24);
    launch(may, 9, 24);
    launch(reads, 9, 20);
}
reads(0, 24);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
from [9, 24) after launch(reads, 9, 20);
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [9, 24) before launch(reads, 9, 20);
*/
