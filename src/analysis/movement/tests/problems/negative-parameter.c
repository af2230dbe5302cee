/* `p` in `work`, lines 12 to 13 */
extent((m+1)*i+1, (i+1)*m-k);
assume(17-i);
assume(m-17);
assume(17-m);
assume(k+1);
assume(-k-1);
assume(i-2);
live((m+1)*i+1, (i+1)*m-k);
for (int i; c; ) {
    { /* residency */
        launch(must, (m+1)*i+1, (i+1)*m-k, may, (m+1)*i+1, (i+1)*m-k);
    }
    writes(i+3, i+4);
}
writes(5, k);

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
out: all
*/
