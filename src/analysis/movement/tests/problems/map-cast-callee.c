/* `v` in `steps`, lines 57 to 58 */
extent(0, small);
assume(small);
live(0, small);
{ /* residency */
    for (; surely; ) {
        kernel(0, small, 0, small);
    }
}
for (; surely; ) {
    kernel(0, 44, 0, 44);
}
for (; surely; ) {
    kernel(0, v, 0, v);
}
for (; surely; ) {
    kernel(0, v_2, 0, v_2);
}
for (; surely; ) {
    kernel(0, v_3, 0, v_3);
}
for (; surely; ) {
    kernel_may(0, v_4, 0, v_4);
}
defines(v_5);
for (; surely; ) {
    kernel(0, v_5, 0, v_5);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
in: all
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
in: all
from [0, small) after kernel(0, small, 0, small);
*/
