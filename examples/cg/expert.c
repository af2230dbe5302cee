/* Conjugate gradient for a sparse symmetric positive definite system in CSR
 * form (a 2-D Laplacian with a shifted diagonal).
 *
 * Dot products are accumulated in 64-bit fixed point, so that the sum does not
 * depend on the order of the threads.
 *
 * Hand-optimised movement.  Resident from the first kernel to the last: the
 * matrix and `b`, which go up once and never come back; `r`, `p` and `q`, which
 * are born on the device, so that they are allocated without a copy and come
 * back once; `x`, which starts on the host.  `q` is copied in because the loop
 * may run zero times, and then its old contents are what is printed.  Per
 * iteration only the two fixed-point sums cross. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FIXED 4294967296.0 /* 2^32 */

typedef long long fixed_t;

static int build_laplacian(int side, int *row_start, int *column, double *value)
{
  int k = 0;
  for (int y = 0; y < side; y++) {
    for (int x = 0; x < side; x++) {
      int row = y * side + x;
      row_start[row] = k;
      if (y > 0)        { column[k] = row - side; value[k++] = -1.0; }
      if (x > 0)        { column[k] = row - 1;    value[k++] = -1.0; }
      column[k] = row;
      value[k++] = 4.0 + 0.01 * (row % 7);
      if (x < side - 1) { column[k] = row + 1;    value[k++] = -1.0; }
      if (y < side - 1) { column[k] = row + side; value[k++] = -1.0; }
    }
  }
  row_start[side * side] = k;
  return k;
}

static void show(const char *name, const void *data, size_t bytes)
{
  const unsigned char *p = data;
  uint64_t h = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++) {
    h ^= p[i];
    h *= 1099511628211ull;
  }
  printf("%-10s %016llx\n", name, (unsigned long long)h);
}

int main(void)
{
  const int side = 40;
  const int n = side * side;
  const int max_iterations = 60;

  int *row_start = malloc((n + 1) * sizeof(int));
  int *column = malloc(5 * n * sizeof(int));
  double *value = malloc(5 * n * sizeof(double));
  double *b = malloc(n * sizeof(double));
  double *x = malloc(n * sizeof(double));
  double *r = malloc(n * sizeof(double));
  double *p = malloc(n * sizeof(double));
  double *q = malloc(n * sizeof(double));
  if (!row_start || !column || !value || !b || !x || !r || !p || !q)
    return 1;

  const int nnz = build_laplacian(side, row_start, column, value);
  for (int i = 0; i < n; i++) {
    b[i] = ((i * 37) % 101 - 50) / 50.0;
    x[i] = 0.0;
    q[i] = 0.0;
  }

  fixed_t sum = 0;
  double rho;
  int iteration = 0;

  #pragma omp target data map(to: row_start[0:n+1], column[0:nnz], value[0:nnz], b[0:n]) \
    map(from: r[0:n], p[0:n]) map(tofrom: x[0:n], q[0:n])
  {
  #pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    r[i] = b[i];
    p[i] = b[i];
  }

  #pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
  for (int i = 0; i < n; i++)
    sum += (fixed_t)(r[i] * r[i] * FIXED);

  rho = sum / FIXED;
  while (rho > 1e-5 && iteration < max_iterations) {
    /* q = A p */
    #pragma omp target teams distribute parallel for
    for (int row = 0; row < n; row++) {
      double acc = 0.0;
      for (int k = row_start[row]; k < row_start[row + 1]; k++)
        acc += value[k] * p[column[k]];
      q[row] = acc;
    }

    sum = 0;
    #pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
    for (int i = 0; i < n; i++)
      sum += (fixed_t)(p[i] * q[i] * FIXED);

    if (sum == 0)
      break;
    const double alpha = rho / (sum / FIXED);

    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }

    sum = 0;
    #pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
    for (int i = 0; i < n; i++)
      sum += (fixed_t)(r[i] * r[i] * FIXED);

    const double rho_next = sum / FIXED;
    const double beta = rho_next / rho;
    rho = rho_next;

    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      p[i] = r[i] + beta * p[i];

    iteration++;
    if (iteration % 10 == 0)
      printf("iteration %3d  rho %.17g\n", iteration, rho);
  }
  }

  printf("%d iterations, rho %.17g\n", iteration, rho);
  printf("x[0] %.17g  x[n/2] %.17g  x[n-1] %.17g\n", x[0], x[n / 2], x[n - 1]);
  show("row_start", row_start, (n + 1) * sizeof(int));
  show("column", column, nnz * sizeof(int));
  show("value", value, nnz * sizeof(double));
  show("b", b, n * sizeof(double));
  show("x", x, n * sizeof(double));
  show("r", r, n * sizeof(double));
  show("p", p, n * sizeof(double));
  show("q", q, n * sizeof(double));

  free(row_start);
  free(column);
  free(value);
  free(b);
  free(x);
  free(r);
  free(p);
  free(q);
  return 0;
}
