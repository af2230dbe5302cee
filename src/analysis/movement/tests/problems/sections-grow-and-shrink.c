/* `p` in `tails`, lines 54 to 55 */
extent(0, n-t);
assume(n-t);
assume(t);
live(0, n-t);
for (int t; c; ) {
    for (int t; c; ) {
        { /* residency */
            kernel(0, n-t, 0, n-t);
        }
    }
    if (c) {
        launch(reads, 0, n/2);
    }
    writes(n-1, n);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
