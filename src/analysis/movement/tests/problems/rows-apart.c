/* `a` in `smooth`, lines 9 to 18 */
extent(0, n*m);
assume(n-6);
assume(6-n);
assume(m-4);
assume(4-m);
live(0, n*m);
{ /* residency */
    for (; surely; ) {
        kernel(0, n*m, 0, n*m);
        launch(reads, m, n*m);
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, n*m) before launch(reads, m, n*m);
*/
