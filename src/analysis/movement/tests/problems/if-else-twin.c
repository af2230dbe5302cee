/* `limit` in `run`, lines 25 to 26 */
extent(0, 1);
live(0, 1);
for (; c; ) {
    if (c) {
        { /* residency */
            reads(0, 1);
            launch(reads, 0, 1);
        }
    }
    else {
        reads(0, 1), may_write(0, 1);
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
