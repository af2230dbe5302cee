/* `v` in `widen`, lines 19 to 20 */
extent(0, m);
assume(m);
live(0, m);
{ /* residency */
    kernel(0, m, 0, m);
}
if (c) {
    reads(0, m), may_write(0, m);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
