/* `v` in `fewer`, lines 32 to 33 */
extent(0, v%256);
assume(v%256);
live(0, v%256);
{ /* residency */
    kernel(0, v%256, 0, v%256);
}
if (c) {
    reads(0, v%256), may_write(0, v%256);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
