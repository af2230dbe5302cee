/* `v` in `iterate`, lines 27 to 28 */
extent(0, n);
assume(n-16);
assume(16-n);
assume(t);
assume(19-t);
live(0, n);
for (int t; surely; ) {
    { /* residency */
        kernel(0, n, 0, n);
    }
    reads(t%n, t%n+1), writes(t%n, t%n+1);
    reads(0, 1), writes(0, 1);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
