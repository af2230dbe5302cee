/* `a` in `main`, lines 33 to 34 */
extent(0, 15);
assume(t);
assume(7-t);
if (c) {
    return;
}
writes(0, 15);
for (int t; surely; ) {
    switch (c) {
        case 1:;
        writes(t, t+1);
        case 1:;
        {
            { /* residency */
                kernel(0, 15, 0, 15);
            }
            break;
        }
        case 1:;
        reads(t, t+1);
        break;
        default:;
        {
            kernel(0, 15, 0, 15);
        }
    }
}
reads(0, 15);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
