/* `b` in `main`, lines 38 to 39 */
extent(0, 81);
for (; surely; ) {
    { /* residency */
        launch(may, 0, 81);
    }
    reads(0, 81);
}
reads(0, 80);
reads(80, 81);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
