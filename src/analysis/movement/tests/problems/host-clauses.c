/* `v` in `main`, lines 79 to 80 */
extent(0, mesh__n);
assume(mesh__n);
assume(t);
if (c) {
    return;
}
for (int t, mesh__n; c; ) {
    kernel_may(0, 600, 0, 600);
    kernel(0, 10*t+110, 0, 10*t+110);
    if (c) {
        { /* residency */
            kernel(0, 10*t+110, 0, 10*t+110);
        }
    }
}
reads(0, 600);
for (; c; ) {
    launch(must, 0, 600, may, 0, 600);
    reads(3, 4);
    reads(3, 4);
    reads(3, 4);
}
reads(0, 600);
for (; c; ) {
    reads(0, mesh__n), may_write(0, mesh__n);
}
reads(0, 600);
for (; c; ) {
    if (c) {
        return;
    }
    {
    }
}
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
