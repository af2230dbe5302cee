/* `a` in `main`, lines 32 to 34 */
extent(0, 12);
if (c) {
    return;
}
writes(0, 12);
for (; surely; ) {
    { /* residency */
        kernel(0, 12, 0, 12);
        reads(0, 12), may_write(0, 12);
        launch(reads, 0, 12);
    }
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(1, 2, 11, 12), may_write(1, 2);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(0, 12), may_write(0, 12);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(0, 12), may_write(0, 12);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(0, 12), may_write(0, 12);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(2, 3, 11, 12), may_write(2, 3);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(1, 2, 11, 12), may_write(1, 2);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    launch(reads, 0, 12);
}
for (; surely; ) {
    kernel(0, 12, 0, 12);
    reads(0, 12), may_write(0, 12);
    launch(reads, 0, 12);
}
reads(0, 12);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
from [0, 12) before reads(0, 12), may_write(0, 12);
to [0, 12) before launch(reads, 0, 12);
*/
