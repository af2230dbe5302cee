/* `v` in `main`, lines 25 to 26 */
extent(0, 24);
if (c) {
    return;
}
writes(0, 24);
{ /* residency */
    launch(must, 0, 24, may, 0, 24);
}
reads(0, 24);
switch (c) {
    case 1:;
    kernel(0, 24, 0, 24);
    break;
    case 1:;
    break;
    default:;
    break;
}
reads(0, 24);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
out: all
*/
