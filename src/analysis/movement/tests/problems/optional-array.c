/* `k1` in `method`, lines 46 to 47 */
extent(0, n);
assume(n-600);
assume(600-n);
live(0, n);
for (; surely; ) {
    switch (c) {
        case 1:;
        break;
        case 1:;
        {
            { /* residency */
                launch(must, 0, n, may, 0, n);
            }
            break;
        }
        default:;
        {
            kernel(0, n, 0, n);
        }
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
out: all
*/
