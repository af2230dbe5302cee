/* The macro does something else in another build. */
#include <stdio.h>

#ifdef VERBOSE
#define LOG(what) do { int n = __LINE__; fprintf(stderr, "%d: %s\n", n, what); } while (0)
#else
#define LOG(what) printf("%s\n", what)
#endif

int main(void)
{
    int n = 40;
    double a[40];
    for (int i = 0; i < n; i++)
        a[i] = i;
    LOG("start");
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    LOG("end");
    printf("%g\n", a[7]);
    return 0;
}
