extent(0, 16);
writes(0, 16);
{ /* residency */
    for (; surely; ) {
        kernel(0, 16, 0, 16);
    }
    for (; surely; ) {
        defines(q1);
    }
    for (; surely; ) {
        defines(q2);
    }
    for (; surely; ) {
        defines(q3);
    }
    for (; surely; ) {
        defines(q4);
    }
    for (; surely; ) {
        defines(q5);
    }
    for (; surely; ) {
        defines(q6);
    }
    for (; surely; ) {
        kernel(0, 16, 0, 16);
        may_write(0, 3);
        may_write(3, 15);
    }
}
reads(0, 16);
free();
return;

/* placed: early; eager; eager, no speculation
in: all
from [15, 16) after for (; surely; ) {
from [0, 15) before may_write(0, 3);
to [0, 3) before may_write(3, 15);
to [3, 15) after may_write(3, 15);
*/

/* placed: late; late, no speculation; early, no speculation
conflict: the kernel needs here what may be newer on the host, and no copy can be shown to be right
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
to [0, 15) before kernel(0, 16, 0, 16);
from [0, 16) before may_write(0, 3);
from [0, 16) after kernel(0, 16, 0, 16);
*/
