/* `g` in `main`, lines 45 to 45 */
extent(0, 7000);
for (int v; surely; ) {
    { /* residency */
        kernel(0, 7000, 0, 7000);
    }
    writes(v/2, v/2+1), defines(v);
}
reads(0, 7000);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
