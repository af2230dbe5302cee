/* `x` in `main`, lines 25 to 26 */
extent(0, 800);
for (; c; ) {
    { /* residency */
        kernel(0, 800, 0, 800);
    }
}
for (; c; ) {
    kernel(0, 800, 0, 800);
}
for (; c; ) {
    kernel(0, 800, 0, 800);
    if (reads(7, 8)) {
        break;
    }
}
reads(0, 800);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
