/* `a` in `work`, lines 22 to 34 */
extent(0, n*m);
assume(n*m);
assume(n);
assume(m);
writes(0, n*m);
{ /* residency */
    for (; surely; ) {
        launch(reads, 0, n*m);
        kernel(0, n*m, 0, n*m);
    }
}
reads(0, n*m);

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, n*m) after kernel(0, n*m, 0, n*m);
*/
