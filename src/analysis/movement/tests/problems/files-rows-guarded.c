/* `t->cell` in `members`, lines 14 to 16 */
extent(0, 5*n);
assume(n);
live(0, 5*n);
reads(0, 5*n);
{ /* residency */
    launch(reads, 0, 5*n);
}
kernel_may(2, 5*n-2, 2, 5*n-2);

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
