/* expects: nothing */
#include <upc.h>
strict shared int flag;

int main(void)
{
    if (MYTHREAD == 0)
        flag = 1;
    upc_barrier;
    if (flag)
        upc_barrier;
    return 0;
}
