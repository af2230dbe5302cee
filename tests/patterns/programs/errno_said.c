/* --all args: 5, 0 */
/* `perror` looks at errno. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static float a[500];

int main(int argc, char **argv) {
    int k = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 500; i++) a[i] = i - k;
    for (int i = 0; i < 500; i++) a[i] = logf(a[i]) + powf(a[i], -1);
    perror("logarithms");
    for (int i = 0; i < 500; i++) printf("%d\n", a[i] > 1);
    return 0;
}
