/* `rest` in `shift`, lines 49 to 54 */
extent(0, 100);
live(0, 100);
{ /* residency */
    for (; surely; ) {
        kernel(0, 100, 0, 100);
        reads(0, 100), may_write(0, 100);
    }
}

/* placed: late; late, no speculation; early, no speculation; after each kernel; after each kernel, no speculation
to [0, 100) before kernel(0, 100, 0, 100);
from [0, 100) before reads(0, 100), may_write(0, 100);
*/

/* placed: early; eager; eager, no speculation
in: all
from [0, 100) before reads(0, 100), may_write(0, 100);
to [0, 100) after reads(0, 100), may_write(0, 100);
*/
