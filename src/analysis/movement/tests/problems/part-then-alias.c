/* `b` in `main`, lines 21 to 22 */
extent(0, n);
assume(n);
defines(n);
if (c) {
    return;
}
{ /* residency */
    launch(must, 2, 5, may, 2, 5);
}
switch (c) {
    case 1:;
    kernel(2, n, 2, n);
    break;
    default:;
    break;
}
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
from [2, 5) after launch(must, 2, 5, may, 2, 5);
*/
