/* `a` in `main`, lines 27 to 28 */
extent(0, n);
assume(n);
assume(r);
assume(3-r);
defines(n);
if (c) {
    return;
}
writes(0, n);
for (int r; surely; ) {
    for (; surely; ) {
        { /* residency */
            kernel(0, n, 0, n);
        }
        if (reads(2, 3)) {
            goto bad;
        }
    }
    writes(r, r+1);
}
bad:;
if (c) {
    reads(0, 1), writes(0, 1);
}
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
