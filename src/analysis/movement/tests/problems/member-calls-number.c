/* `s.y` in `main`, lines 60 to 61 */
extent(0, 16);
defines(s_n);
may_write(0, 16);
for (; surely; ) {
    kernel(0, s_n, 0, s_n);
}
reads(0, 16);
for (; surely; ) {
    launch(reads, 0, 16);
}
{ /* residency */
    for (; surely; ) {
        launch(reads, 0, 16);
    }
}
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
