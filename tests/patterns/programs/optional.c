/* --all args: 900 1, 900 0, 0 0, 900 2 */
/* Arrays that are used under a condition need not exist: what a kernel maps must not rest on more than what is asked. */
#include <stdio.h>
#include <stdlib.h>

struct state { int n, use; double *a, *w; };

static double *scratch;

/* If there are weights. */
static void weighted(double *restrict a, const double *restrict w, int n) {
    for (int i = 0; i < n; i++) {
        double s = i;
        if (w != NULL) s *= w[i];
        a[i] = s;
    }
}

static void chosen(double *restrict a, const double *restrict w, int n) {
    for (int i = 0; i < n; i++) a[i] = w ? w[i] * i : i;
}

static void flagged(double *restrict a, const double *restrict b, int n, int use) {
    for (int i = 0; i < n; i++)
        if (use) a[i] += b[i];
}

static void both(double *restrict a, const double *restrict b, int n, int use, int level) {
    for (int i = 0; i < n; i++)
        if (use && level > 2) a[i] += b[i];
        else a[i] -= 1;
}

/* On data: elements of `b` exist where they are used. */
static void here_and_there(double *restrict a, const double *restrict b, const int *restrict flag, int n) {
    for (int i = 0; i < n; i++)
        if (flag[i]) a[i] += b[i];
}

static void either(double *restrict a, const int *restrict flag, int n) {
    for (int i = 0; i < n; i++) {
        if (flag[i]) a[i] = 1;
        else a[i] = 2;
    }
}

static void stages(double *restrict a, const double *restrict k1, const double *restrict k2, int n, int mode) {
    for (int i = 0; i < n; i++) {
        switch (mode) {
        case 1: a[i] += k1[i]; break;
        case 2: a[i] += k2[i]; break;
        default: a[i] += 1;
        }
    }
}

static void one_stage(double *restrict a, const double *restrict k1, int n, int mode) {
    for (int i = 0; i < n; i++) {
        switch (mode) {
        case 1: a[i] += k1[i]; break;
        default: a[i] += 1;
        }
    }
}

/* Near the end of an array there is less of it. */
static void saved(const double *restrict a, double *restrict o, int n, int save) {
    for (int i = 0; i < n; i++)
        if (save) o[2 * i] = a[i];
}

static void member(struct state *s) {
    for (int i = 0; i < s->n; i++) {
        double t = s->a[i];
        if (s->w) t *= s->w[i];
        s->a[i] = t + 1;
    }
}

static void member_flag(struct state *s) {
    for (int i = 0; i < s->n; i++)
        if (s->use) s->a[i] += s->w[i];
}

/* The structure itself may not be there. */
static void through(double *restrict a, const struct state *restrict s, const double *restrict w, int n) {
    for (int i = 0; i < n; i++) {
        a[i] += 1;
        if (s) a[i] += w[i] * s->n;
        if (s)
            for (int j = 0; j < s->n; j++) a[i] += w[j];
    }
}

static void global(double *restrict a, int n) {
    for (int i = 0; i < n; i++)
        if (scratch != 0 && a[i] >= 0) a[i] += scratch[i];
}

/* Away from the borders: three elements at least, or nothing is there. */
static void inside(const double *restrict a, double *restrict b, int n) {
    for (int i = 0; i < n; i++)
        if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1];
}

static void before(const double *restrict a, double *restrict b, int n, int use) {
    for (int i = 0; i < n; i++) b[i] = use && i > 0 ? a[i - 1] : 1;
}

/* Memory that was given back is not there, though its size is known. */
static double released(int n, int use) {
    double *w = malloc(500 * sizeof *w), s = 0;
    int *on = calloc(500, sizeof *on), *hit = calloc(500, sizeof *hit);
    for (int i = 0; i < 500; i++) w[i] = i, on[i] = use && i % 3 == 0;
    if (!use) free(w);
    for (int i = 0; i < 500; i++)
        if (on[i]) hit[i] = w[i];
    for (int i = 0; i < 500; i++) s += hit[i];
    if (use) free(w);
    return s + n;
}

static void show(const char *what, const double *a, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %g", a[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 900, use = argc > 2 ? atoi(argv[2]) : 0;
    double *a = calloc(1000, sizeof *a), *few = calloc(10, sizeof *few), *w = NULL, *local = NULL;
    int *flag = calloc(1000, sizeof *flag);
    for (int i = 0; i < 10; i++) flag[i] = 1, few[i] = i + 1;
    if (use) {
        w = malloc(1000 * sizeof *w);
        local = malloc(1000 * sizeof *local);
        for (int i = 0; i < 1000; i++) w[i] = local[i] = i % 9;
    }
    weighted(a, w, n);
    chosen(a, w, n);
    flagged(a, w, n, use);
    both(a, w, n, use, 3);
    show("a", a, n);
    here_and_there(a, few, flag, n);
    either(a, flag, n);
    show("a", a, n);
    stages(a, use == 1 ? w : NULL, use == 2 ? w : NULL, n, use);
    one_stage(a, use == 1 ? w : NULL, n, use);
    saved(a, few, use ? 5 : n, use);
    show("few", few, 10);
    struct state s = { n, use, a, w };
    member(&s);
    member_flag(&s);
    through(a, use ? &s : NULL, w, n);
    scratch = w;
    global(a, n);
    for (int i = 0; i < n; i++)
        if (use) a[i] += local[i];
    for (int i = 0; i < n; i++)
        if (use > 0 && a[i] > 3) a[i] += local[i];
    show("a", a, n);
    double *b = calloc(1000, sizeof *b);
    inside(a, b, n);
    inside(NULL, NULL, n > 2 ? 2 : n);
    before(a, b + 500, n / 2, use);
    before(use ? a : NULL, b, 1, use);
    show("b", b, n);
    printf("%g\n", released(n, use));
    return 0;
}
