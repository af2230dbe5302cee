/* `p` in `partly`, lines 49 to 50 */
extent(t, t+1);
assume(hi-lo-1);
assume(n-800);
assume(800-n);
assume(t-lo);
assume(hi-t-1);
live(t, t+1);
for (int t; c; ) {
    { /* residency */
        kernel(t, t+1, t, t+1);
    }
    reads(0, n), writes(0, n);
    kernel(lo, hi, lo, hi);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
