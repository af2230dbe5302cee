/* clang 19: wrong. A counter without sign that is narrower than its bound and steps by two. */
#include <stdio.h>

int a[64];

int main(void)
{
    long n = 10;
    int same = 1;
    #pragma omp target teams distribute parallel for map(tofrom: a)
    for (unsigned i = 0; i < n; i += 2)
        if (i < 64)
            a[i]++;
    for (int i = 0; i < 64; i++)
        same = same && a[i] == (i < 10 && i % 2 == 0);
    puts(same ? "right" : "wrong");
    return 0;
}
