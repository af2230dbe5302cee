/* `z` in `main`, lines 41 to 42 */
extent(0, 800);
for (; surely; ) {
    { /* residency */
        kernel(0, 800, 0, 800);
    }
    reads(0, 4), reads(0, 800), may_write(0, 800);
    reads(0, 800), write(must, 4, 7, may, 0, 800);
    reads(0, argc-96, 0, 800), write(must, 9, argc-87, may, 0, 800);
}
reads(0, 800);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
