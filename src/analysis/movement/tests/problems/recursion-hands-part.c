/* `grid` in `main`, lines 28 to 29 */
extent(0, 40);
writes(0, 40);
for (; c; ) {
    { /* residency */
        kernel(1, 31, 1, 31);
    }
    reads(0, 40), write(must, 3, 11, may, 0, 40);
}
reads(0, 40);
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
to [1, 31) before kernel(1, 31, 1, 31);
from [1, 31) after kernel(1, 31, 1, 31);
*/
