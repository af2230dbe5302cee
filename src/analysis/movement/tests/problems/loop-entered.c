/* `x` in `entered_for`, lines 57 to 58 */
extent(0, 64);
live(0, 64);
for (int k, k_2, k_3, k_4; c; ) {
    { /* residency */
        kernel(0, 64, 0, 64);
    }
    switch (c) {
        case 1:;
        for (int k_2, k_3; c; ) {
            reads(k_2, k_2+1), writes(k_2, k_2+1);
            default:;
            reads(k_3, k_3+1), writes(k_3, k_3+1);
        }
    }
    if (c) {
        goto in;
    }
    for (int k, k_4; c; ) {
        reads(k, k+1), writes(k, k+1);
        in:;
        reads(k_4+1, k_4+2), writes(k_4+1, k_4+2);
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
