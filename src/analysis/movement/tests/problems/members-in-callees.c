/* `points` in `main`, lines 58 to 58 */
extent(0, 640);
may_write(0, 640);
{ /* residency */
    launch(may, 0, 640);
}
reads(639, 640);
may_write(0, 640);
launch(reads, 0, 640);
if (reads(0, 640)) {
}
kernel_may(0, 640, 0, 640);
reads(0, 640);
reads(0, 640);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
