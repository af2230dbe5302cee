/* `A` in `factor`, lines 22 to 24 */
extent(0, 120*i+120);
assume(i+1);
assume(i-1);
assume(119-i);
live(0, 120*i+120);
for (int i; c; ) {
    reads(0, 121*i-120, 120*i, 121*i), writes(120*i, 121*i);
    { /* residency */
        launch(reads, i, 120*i, 120*i, 121*i, 121*i, 120*i+120, may, 121*i, 120*i+120);
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
from [121*i, 120*i+120) after launch(reads, i, 120*i, 120*i, 121*i, 121*i, 120*i+120, may, 121*i, 120*i+120);
*/
