/* `a` in `run`, lines 23 to 42 */
extent(0, n);
assume(n-300);
assume(300-n);
assume(t);
assume(8-t);
live(0, n);
{ /* residency */
    for (int t, v; surely; ) {
        kernel(0, n, 0, n);
        reads(n/k-1, n/k);
        if (reads(200/k, 200/k+1)) {
        }
        if (reads(v%every, v%every+1)) {
        }
        may_write(250/k, 250/k+1);
        reads(n/k-1, n/k);
        kernel(0, n, 0, n);
        writes(270/t, t+270/t);
        writes(290/t, t+290/t);
        if (c) {
            reads(280/k, 280/k+1), writes(280/k, 280/k+1);
        }
    }
}
return;

/* placed: late; late, no speculation; early, no speculation
conflict: at the end of the residency results would be lost, and no copy back can be shown to be right
*/

/* placed: after each kernel; after each kernel, no speculation
to [0, n) before kernel(0, n, 0, n);
from [0, n) before reads(n/k-1, n/k);
to [250/k, 250/k+1) before kernel(0, n, 0, n);
from [0, n) before writes(270/t, t+270/t);
*/

/* placed: eager; eager, no speculation
in: all
from [n/k-1, n/k) before reads(n/k-1, n/k);
from [200/k, 200/k+1) before reads(n/k-1, n/k);
from [250/k, 250/k+1) before reads(n/k-1, n/k);
from [v%every, v%every+1) before reads(n/k-1, n/k);
to [250/k, 250/k+1) before reads(n/k-1, n/k);
to [270/t, t+270/t) before writes(290/t, t+290/t);
to [290/t, t+290/t) before if (c) {
from [280/k, 280/k+1) before reads(280/k, 280/k+1), writes(280/k, 280/k+1);
to [280/k, 280/k+1) after reads(280/k, 280/k+1), writes(280/k, 280/k+1);
out: all
*/

/* placed: early
conflict: the host reads here what may be newer on the device, and no copy can be shown to be right
*/
