// Chain of three matrix products, G = (A B)(C D), on global arrays of fixed
// size.
//
// Hand-optimised movement.  Resident over all four kernels: E and F, which are
// born on the device, feed the third product there and come down once, and G,
// which comes down in the middle because the host looks for its largest element,
// and once more at the end.  None of the three goes up: a kernel writes all of it
// first.  A and B are needed by the first kernel alone, C and D by the second
// alone; they go up with it and are released right after it.
#include <stdio.h>

#define N1 40
#define N2 44
#define N3 36
#define N4 48
#define N5 42

typedef float real;

real A[N1][N2], B[N2][N3], C[N3][N4], D[N4][N5];
real E[N1][N3], F[N3][N5], G[N1][N5];

static void fill(real *m, int rows, int cols, int a, int b, int mod)
{
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      m[i * cols + j] = (real)((i * a + j * b) % mod) / (real)mod;
}

static void print_matrix(const char *label, const real *m, int rows, int cols)
{
  unsigned long long h = 14695981039346656037ull;
  for (int k = 0; k < rows * cols; ++k)
  {
    union { real f; unsigned u; } w;
    w.f = m[k];
    h = (h ^ w.u) * 1099511628211ull;
  }
  printf("%s %016llx  %.9g %.9g\n", label, h, m[0], m[rows * cols - 1]);
}

int main()
{
  int i, j, k;

  fill(&A[0][0], N1, N2, 3, 1, 17);
  fill(&B[0][0], N2, N3, 1, 5, 19);
  fill(&C[0][0], N3, N4, 2, 3, 23);
  fill(&D[0][0], N4, N5, 7, 2, 13);

#pragma omp target data map(from: E, F, G)
  {
  // E = A B
#pragma omp target teams distribute parallel for private(j, k) map(to: A, B)
  for (i = 0; i < N1; i++)
    for (j = 0; j < N3; j++)
    {
      E[i][j] = 0;
      for (k = 0; k < N2; ++k)
        E[i][j] += A[i][k] * B[k][j];
    }

  // F = C D
#pragma omp target teams distribute parallel for private(j, k) map(to: C, D)
  for (i = 0; i < N3; i++)
    for (j = 0; j < N5; j++)
    {
      F[i][j] = 0;
      for (k = 0; k < N4; ++k)
        F[i][j] += C[i][k] * D[k][j];
    }

  // G = E F
#pragma omp target teams distribute parallel for private(j, k)
  for (i = 0; i < N1; i++)
    for (j = 0; j < N5; j++)
    {
      G[i][j] = 0;
      for (k = 0; k < N3; ++k)
        G[i][j] += E[i][k] * F[k][j];
    }

  // normalise the product by its largest element, found on the host
#pragma omp target update from(G)
  real largest = 0;
  for (i = 0; i < N1; i++)
    for (j = 0; j < N5; j++)
      if (G[i][j] > largest)
        largest = G[i][j];
  printf("largest %.9g\n", largest);

#pragma omp target teams distribute parallel for private(j)
  for (i = 0; i < N1; i++)
    for (j = 0; j < N5; j++)
      G[i][j] = G[i][j] / largest;
  }

  print_matrix("A", &A[0][0], N1, N2);
  print_matrix("B", &B[0][0], N2, N3);
  print_matrix("C", &C[0][0], N3, N4);
  print_matrix("D", &D[0][0], N4, N5);
  print_matrix("E", &E[0][0], N1, N3);
  print_matrix("F", &F[0][0], N3, N5);
  print_matrix("G", &G[0][0], N1, N5);
  return 0;
}
