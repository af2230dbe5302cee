/* `a` in `main`, lines 38 to 39 */
extent(0, 320);
writes(0, 320);
for (; c; ) {
    kernel(1, 319, 1, 319);
}
if (c) {
    for (; c; ) {
        { /* residency */
            launch(reads, 0, 320);
        }
    }
}
else {
    for (; c; ) {
        kernel(2, 320, 2, 320);
    }
}
reads(0, 320);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
