/* `g.h` in `main`, lines 38 to 41 */
extent(0, g_nx*g_ny);
assume(g_nx*g_ny);
assume(g_nx);
assume(g_ny);
defines(g_nx), defines(g_ny);
writes(0, g_nx*g_ny);
{ /* residency */
    kernel_may(0, g_nx*g_ny, 0, g_nx*g_ny);
}
reads(0, g_nx*g_ny);
free();
return;

/* placed: late; late, no speculation; early; early, no speculation; eager; eager, no speculation; after each kernel; after each kernel, no speculation
in: all
out: all
*/
