/* `a` in `main`, lines 33 to 34 */
extent(0, n);
assume(n);
defines(n);
if (c) {
    return;
}
writes(0, n);
for (; surely; ) {
    if (c) {
        kernel(0, n, 0, n);
    }
    else {
        if (c) {
            writes(0, 1);
        }
        else {
            { /* residency */
                kernel(0, n, 0, n);
            }
        }
    }
}
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
