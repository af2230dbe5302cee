/* `x` in `main`, lines 54 to 55 */
extent(0, 800);
for (; c; ) {
    kernel(0, 800, 0, 800);
}
for (; surely; ) {
    for (; c; ) {
        { /* residency */
            kernel(0, 800, 0, 800);
        }
    }
}
reads(0, 800);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
