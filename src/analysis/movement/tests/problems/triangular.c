/* `m` in `main`, lines 28 to 30 */
extent(0, n*n);
assume(n*n);
assume(n);
defines(n);
if (c) {
    return;
}
writes(0, n*n);
{ /* residency */
    launch(may, 0, n*n);
}
launch(reads, 0, n*n);
reads(0, n*n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
