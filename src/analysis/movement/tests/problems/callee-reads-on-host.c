/* `v` in `relax`, lines 11 to 12 */
extent(0, n);
assume(n);
live(0, n);
{ /* residency */
    kernel(0, n, 0, n);
}
reads(n/2, n/2+1);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
