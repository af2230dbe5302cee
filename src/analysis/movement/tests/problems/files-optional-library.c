/* `v` in `relax_one`, lines 41 to 42 */
extent(0, s__n);
assume(s__n);
live(0, s__n);
for (int s__n; reads(0, s__n); ) {
    reads(0, s__n);
    reads(0, s__n);
    if (c) {
        continue;
    }
    for (; surely; ) {
        { /* residency */
            kernel(0, s__n, 0, s__n);
        }
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
