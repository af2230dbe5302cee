/* `s->x` in `advance`, lines 33 to 44 */
extent(0, s__n);
assume(s__n);
live(0, s__n);
{ /* residency */
    for (; surely; ) {
        launch(reads, 0, s__n);
        if (c) {
            return;
        }
        kernel(0, s__n, 0, s__n);
        if (reads(1, 2)) {
            break;
        }
    }
}
return;

/* placed: late; early; eager
in: all
from [1, 2) before if (reads(1, 2)) {
out: all
*/

/* placed: late, no speculation; early, no speculation; eager, no speculation
conflict: a copy out at the end would also run where no kernel has written it
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, s__n) before if (reads(1, 2)) {
*/
