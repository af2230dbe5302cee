/* `a` in `run`, lines 59 to 60 */
extent(0, n);
assume(n-600);
assume(600-n);
assume(t);
assume(5-t);
live(0, n);
for (int t; surely; ) {
    { /* residency */
        kernel(0, n, 0, n);
    }
    reads(g__n/g__stride-1, g__n/g__stride);
    kernel(0, n, 0, n);
    kernel_may(t*(g__n/g__parts), (t+1)*(g__n/g__parts), t*(g__n/g__parts), (t+1)*(g__n/g__parts));
    kernel(0, n, 0, n);
    may_write(0, n);
    kernel(0, n, 0, n);
    reads(0, n);
    launch(may, (5*g__stride+(t-2)%(5*g__stride))%(5*g__stride), (5*g__stride+(t-2)%(5*g__stride))%(5*g__stride)+1);
    reads(0, n), may_write(0, n);
}
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
