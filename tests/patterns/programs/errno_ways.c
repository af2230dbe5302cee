/* --all args: 0, 1, 2, 3, 4 */
/* Who says what errno is: `strerror`, `%m` in `snprintf`, `warn` and `perror`; nobody but a callee names it before. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double a[3000], b[3000];
static float c[3000];

static const char *why(void) { return strerror(errno); }

static void logs(int n) { for (int i = 0; i < n; i++) a[i] = log(a[i]); }
static void powers(int n) { for (int i = 0; i < n; i++) b[i] = pow(b[i], 200.5); }
static void exps(int n) { for (int i = 0; i < n; i++) c[i] = expf(c[i]); }
static void mods(int n) { for (int i = 0; i < n; i++) a[i] = fmod(b[i], n - 1 - i); }

int main(int argc, char **argv)
{
    char text[100];
    int k = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 3000; i++) {
        a[i] = i - 5;
        b[i] = i + 0.5;
        c[i] = i;
    }
    int err = dup(2);
    program_invocation_short_name = "says";
    errno = 0;
    if (k != 1)
        logs(3000);
    printf("%s\n", why());
    errno = 0;
    if (k != 2)
        powers(3000);
    snprintf(text, sizeof text, "%m");
    printf("%s\n", text);
    fflush(stdout);
    errno = 0;
    if (k != 3)
        exps(3000);
    dup2(1, 2);
    warn("exps");
    dup2(err, 2);
    errno = 0;
    if (k != 4)
        mods(3000);
    int number = errno;
    fflush(stdout);
    dup2(1, 2);
    errno = number;
    perror("mods");
    dup2(err, 2);
    for (int i = 0; i < 3000; i += 50)
        printf("%d %d %d\n", a[i] > 3, b[i] > 1e300, c[i] > 1e30f);
    return 0;
}
