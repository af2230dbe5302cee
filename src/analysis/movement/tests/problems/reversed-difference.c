/* `a` in `main`, lines 28 to 44 */
extent(0, rows*cols);
assume(rows*cols);
assume(rows);
assume(cols);
defines(rows), defines(cols);
if (c) {
    return;
}
writes(0, rows*cols);
{ /* residency */
    launch(must, 0, rows*cols, may, 0, rows*cols);
    for (; surely; ) {
        if (c) {
            reads(rows*cols/2, rows*cols/2+1), writes(rows*cols/2, rows*cols/2+1);
        }
        reads(3, 4);
        launch(reads, 0, rows*cols);
    }
    kernel_may(2, rows*cols-1, 2, rows*cols-1);
}
reads(0, rows*cols);
free();
return;

/* placed: early; early, no speculation; eager; eager, no speculation
from [0, 2) before for (; surely; ) {
from [rows*cols-1, rows*cols/2) before for (; surely; ) {
from [3, 4) before for (; surely; ) {
from [rows*cols/2, rows*cols/2+1) before for (; surely; ) {
from [2, rows*cols) after kernel_may(2, rows*cols-1, 2, rows*cols-1);
from [0, rows*cols/2+1) before reads(rows*cols/2, rows*cols/2+1), writes(rows*cols/2, rows*cols/2+1);
from [rows*cols/2+1, 4) before reads(rows*cols/2, rows*cols/2+1), writes(rows*cols/2, rows*cols/2+1);
to [rows*cols/2, rows*cols/2+1) after reads(rows*cols/2, rows*cols/2+1), writes(rows*cols/2, rows*cols/2+1);
*/

/* placed: after each kernel; after each kernel, no speculation
from [0, rows*cols) before for (; surely; ) {
from [2, rows*cols-1) after kernel_may(2, rows*cols-1, 2, rows*cols-1);
to [rows*cols/2, rows*cols/2+1) before launch(reads, 0, rows*cols);
*/

/* placed: late; late, no speculation
from [0, 2) before for (; surely; ) {
from [rows*cols-1, rows*cols/2) before for (; surely; ) {
from [3, 4) before for (; surely; ) {
from [rows*cols/2, rows*cols/2+1) before for (; surely; ) {
from [2, rows*cols) after kernel_may(2, rows*cols-1, 2, rows*cols-1);
from [0, rows*cols/2+1) before reads(rows*cols/2, rows*cols/2+1), writes(rows*cols/2, rows*cols/2+1);
from [rows*cols/2+1, 4) before reads(rows*cols/2, rows*cols/2+1), writes(rows*cols/2, rows*cols/2+1);
to [rows*cols/2, rows*cols/2+1) before launch(reads, 0, rows*cols);
*/
