/* `q` in `step`, lines 23 to 24 */
extent(0, n);
assume(n-15);
assume(15-n);
live(0, n);
if (c) {
    { /* residency */
        launch(reads, 0, n);
    }
}
else {
    kernel_may(0, n-1, 0, n-1);
}
launch(reads, 0, n);

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
