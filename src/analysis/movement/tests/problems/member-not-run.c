/* `a` in `main`, lines 25 to 36 */
extent(0, 10);
writes(0, 10);
if (c) {
    return;
}
{ /* residency */
    do {
        defines(t);
        switch (c) {
            case 1:;
            kernel(0, 10, 0, 10);
            break;
            default:;
            reads(t+1, t+2), writes(t+1, t+2);
        }
    } while (c);
}
reads(0, 10);
return;

/* placed: late, no speculation; after each kernel; after each kernel, no speculation
to [0, 10) before kernel(0, 10, 0, 10);
from [0, 10) before break;
*/

/* placed: late; early
conflict: the host reads here what may be newer on the device, and no copy can be shown to be right
*/

/* placed: eager
in: all
from [t+1, t+2) before reads(t+1, t+2), writes(t+1, t+2);
to [t+1, t+2) after reads(t+1, t+2), writes(t+1, t+2);
out: all
*/

/* placed: eager, no speculation
in: all
to [t+1, t+2) after reads(t+1, t+2), writes(t+1, t+2);
from [0, 10) before break;
*/

/* placed: early, no speculation
to [0, 10) before ;
from [0, 10) before break;
*/
