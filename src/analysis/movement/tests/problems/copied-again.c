/* `a` in `main`: which element the host writes has no name where the kernel starts */
extent(0, n);
assume(n);
assume(t);
assume(1-t);
defines(n);
writes(0, n);
{ /* residency */
    for (int t; surely; ) {
        launch(reads, 0, 27);
        writes((t+2)%n, (t+2)%n+1);
    }
}

/* placed: late; late, no speculation; early, no speculation; after each kernel; after each kernel, no speculation
to [0, 27) before launch(reads, 0, 27);
*/

/* placed: early; eager
to [0, 27) before for (int t; surely; ) {
to [0, (t+2)%n) before launch(reads, 0, 27);
to [(t+2)%n, (t+2)%n+1) after writes((t+2)%n, (t+2)%n+1);
*/

/* placed: eager, no speculation
to [0, 27) before for (int t; surely; ) {
to [(t+2)%n, (t+2)%n+1) after writes((t+2)%n, (t+2)%n+1);
*/
