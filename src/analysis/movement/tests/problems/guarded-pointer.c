/* `a` in `calls`, lines 49 to 58 */
extent(0, n);
assume(n-300);
assume(300-n);
live(0, n);
{ /* residency */
    for (int p__at; surely; ) {
        kernel(0, n, 0, n);
        reads(p__at, p__at+1);
        kernel(0, n, 0, n);
        if (reads(p__at, p__at+1)) {
            kernel(0, n, 0, n);
        }
        reads(p__at, p__at+1), may_write(p__at, p__at+1);
    }
}

/* placed: early; eager; eager, no speculation
in: all
from [p__at, p__at+1) before reads(p__at, p__at+1);
from [p__at, p__at+1) before if (reads(p__at, p__at+1)) {
from [p__at, p__at+1) before reads(p__at, p__at+1), may_write(p__at, p__at+1);
to [p__at, p__at+1) after reads(p__at, p__at+1), may_write(p__at, p__at+1);
out: all
*/

/* placed: late; late, no speculation; early, no speculation
conflict: at the end of the residency results would be lost, and no copy back can be shown to be right
*/

/* placed: after each kernel; after each kernel, no speculation
to [0, n) before kernel(0, n, 0, n);
from [p__at, p__at+1) before reads(p__at, p__at+1);
from [0, n) before if (reads(p__at, p__at+1)) {
from [0, n) after kernel(0, n, 0, n);
*/
