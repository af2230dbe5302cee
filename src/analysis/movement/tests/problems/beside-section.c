/* `x` in `work`, lines 17 to 22 */
extent(32, n+32);
assume(n-16);
assume(16-n);
assume(t);
live(32, n+32);
{ /* residency */
    for (int t; surely; ) {
        writes(t, t+1);
        launch(must, 32, n+32, may, 32, n+32);
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation
out: all
*/

/* placed: after each kernel; after each kernel, no speculation
from [32, n+32) after launch(must, 32, n+32, may, 32, n+32);
*/
