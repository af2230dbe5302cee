/* `b` in `step`, lines 26 to 27 */
extent(0, n);
assume(n-400);
assume(400-n);
live(0, n);
if (c) {
    { /* residency */
        kernel(0, n, 0, n);
    }
}
else {
    reads(0, n), writes(0, n);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
