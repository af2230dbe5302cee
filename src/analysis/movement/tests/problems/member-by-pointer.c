/* `s->u` in `main`, lines 28 to 38 */
extent(0, n);
assume(n);
parts();
defines(n);
if (c) {
    return;
}
if (c) {
    return;
}
writes(0, n);
{ /* residency */
    for (int count; surely; ) {
        launch(may, 2, 5);
    }
    for (; surely; ) {
        launch(must, 1, count+1, may, 1, count+1);
    }
}
may_write(0, count);
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
conflict: at the end of the residency results would be lost, and no copy back can be shown to be right
*/
