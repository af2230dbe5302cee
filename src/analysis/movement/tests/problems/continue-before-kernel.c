/* `a` in `main`, lines 28 to 29 */
extent(0, 28);
if (c) {
    return;
}
writes(0, 28);
{ /* residency */
    launch(reads, 0, 28);
}
for (; surely; ) {
    if (c) {
        continue;
    }
    launch(must, 0, 28, may, 0, 28);
}
reads(0, 28);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
