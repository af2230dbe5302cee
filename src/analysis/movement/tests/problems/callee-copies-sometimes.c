/* `to` in `fill`, lines 12 to 13 */
extent(0, n);
assume(n-19);
assume(19-n);
live(0, n);
if (c) {
    { /* residency */
        kernel(0, n, 0, n);
    }
}
else {
    launch(must, 0, n, may, 0, n);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
