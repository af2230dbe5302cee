/* clang 19: wrong. A variable that a combined construct gives back, and that no clause maps. */
#include <stdio.h>

int main(void)
{
    int last = -1;
    #pragma omp target teams distribute parallel for lastprivate(last)
    for (int i = 0; i < 8; i++)
        last = i;
    puts(last == 7 ? "right" : "wrong");
    return 0;
}
