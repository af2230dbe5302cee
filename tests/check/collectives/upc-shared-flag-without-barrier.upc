/* expects: error OMM304 */
#include <upc.h>
shared int flag;

int main(void)
{
    if (MYTHREAD == 0)
        flag = 1;
    if (flag)
        upc_barrier;
    return 0;
}
