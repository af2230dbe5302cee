/* expects: nothing */
#include <upc.h>

int main(void)
{
    int i;
    upc_forall (i = 0; i < 4; i++; continue)
        upc_barrier i;
    return 0;
}
