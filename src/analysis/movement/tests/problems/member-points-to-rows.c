/* `g.cell` in `cells`, lines 25 to 26 */
extent(0, 8*n);
assume(n-300);
assume(300-n);
assume(t);
assume(3-t);
live(0, 8*n);
for (int t; surely; ) {
    { /* residency */
        kernel_may(0, 8*n, 0, 8*n);
    }
    writes(8*t+13, 8*t+14);
    reads(8*t+22, 8*t+23);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
