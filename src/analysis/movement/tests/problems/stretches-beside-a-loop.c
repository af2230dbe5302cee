/* `b` in `main`, lines 17 to 18 */
extent(0, n);
assume(n);
defines(n);
{ /* residency */
    launch(must, 0, n, may, 0, n);
}
reads(0, n);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
out: all
*/
