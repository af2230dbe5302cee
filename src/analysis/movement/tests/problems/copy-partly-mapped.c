/* `v` in `stopped`, lines 58 to 59 */
extent(0, n);
assume(n-64);
assume(64-n);
live(0, n);
for (int i; surely; ) {
    { /* residency */
        kernel(0, n, 0, n);
    }
    defines(i);
    reads(0, i+1);
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
