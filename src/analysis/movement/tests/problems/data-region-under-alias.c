/* `grid` in `spread`, lines 19 to 26 */
extent(0, cols*rows);
assume(rows-5);
assume(5-rows);
assume(cols-6);
assume(6-cols);
live(0, cols*rows);
{ /* residency */
    for (; surely; ) {
        launch(reads, 0, cols*rows);
        {
        }
    }
}

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
