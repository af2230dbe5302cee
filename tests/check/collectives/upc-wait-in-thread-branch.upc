/* expects: error OMM304 */
#include <upc.h>

int main(void)
{
    upc_notify 2;
    if (MYTHREAD % 2)
        upc_wait 2;
    return 0;
}
