/* `u` in `work`, lines 16 to 17 */
extent(0, 24);
live(0, 24);
for (; surely; ) {
    for (; c; ) {
        { /* residency */
            launch(must, 0, 24, may, 0, 24);
        }
    }
}
kernel(0, 24, 0, 24);
launch(must, 0, 24, may, 0, 24);

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
out: all
*/
