/* `s.x` in `main`, lines 81 to 82 */
extent(0, 12);
may_write(0, 12);
for (; c; ) {
    launch(reads, 0, 12);
    reads(0, 12), may_write(0, 12);
}
reads(0, 12);
for (; c; ) {
    { /* residency */
        launch(reads, 0, 12);
    }
}
for (; c; ) {
    launch(reads, 0, 12);
}
for (; c; ) {
    launch(reads, 0, 12);
}
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
