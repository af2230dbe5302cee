/* `v` in `grow`, lines 12 to 13 */
extent(0, n);
assume(n-300);
assume(300-n);
live(0, n);
{ /* residency */
    kernel(0, n, 0, n);
}
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
