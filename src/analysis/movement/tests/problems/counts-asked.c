/* `a` in `main`, lines 24 to 25 */
extent(0, n);
assume(n);
defines(n);
if (c) {
    return;
}
writes(0, n);
for (int count; c; ) {
    reads(0, (3*count+1)%n-4), writes(0, (3*count+1)%n-4);
    { /* residency */
        launch(reads, 0, n);
    }
}
reads(0, n);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
*/
