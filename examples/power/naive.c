/* Power iteration for the dominant eigenvalue of a sparse matrix.  The matrix
 * is a structure with pointers; the kernels work on partial sums per block of
 * rows, which the host adds up in order. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS_PER_BLOCK 50

struct csr {
	int rows;
	int nonzeros;
	int *start;		/* [rows + 1] */
	int *index;		/* [nonzeros] */
	double *entry;		/* [nonzeros] */
};

static struct csr *csr_ring(int rows)
{
	struct csr *m = malloc(sizeof(*m));
	int k = 0;

	if (!m)
		exit(1);
	m->rows = rows;
	m->nonzeros = 4 * rows;
	m->start = malloc((rows + 1) * sizeof(int));
	m->index = malloc(m->nonzeros * sizeof(int));
	m->entry = malloc(m->nonzeros * sizeof(double));
	if (!m->start || !m->index || !m->entry)
		exit(1);

	for (int r = 0; r < rows; r++) {
		m->start[r] = k;
		for (int c = 0; c < 4; c++) {
			m->index[k] = (r + c * (1 + r % 3) + (c == 3 ? 7 : 0)) % rows;
			m->entry[k] = c == 0 ? 2.0 + (r % 11) * 0.125 : 0.25;
			k++;
		}
	}
	m->start[rows] = k;
	return m;
}

static void csr_free(struct csr *m)
{
	free(m->start);
	free(m->index);
	free(m->entry);
	free(m);
}

static uint64_t fnv(const void *data, size_t bytes)
{
	const uint8_t *p = data;
	uint64_t h = UINT64_C(14695981039346656037);

	while (bytes--)
		h = (h ^ *p++) * UINT64_C(1099511628211);
	return h;
}

int main(void)
{
	struct csr *m = csr_ring(1000);
	const int n = m->rows, nnz = m->nonzeros;
	const int blocks = (n + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
	double *x = malloc(n * sizeof(*x));
	double *y = malloc(n * sizeof(*y));
	double *partial = malloc(blocks * sizeof(*partial));
	double lambda = 0.0, before;
	int iter;

	if (!x || !y || !partial)
		return 1;
	for (int i = 0; i < n; i++)
		x[i] = 1.0 + (i % 5) * 0.25;

	const int *start = m->start, *index = m->index;
	const double *entry = m->entry;

	for (iter = 0; iter < 80; iter++) {
		double sum = 0.0, scale;

		/* y = M x */
#pragma omp target teams distribute parallel for \
	map(to: start[0:n+1], index[0:nnz], entry[0:nnz], x[0:n]) \
	map(from: y[0:n])
		for (int r = 0; r < n; r++) {
			double acc = 0.0;

			for (int k = start[r]; k < start[r + 1]; k++)
				acc += entry[k] * x[index[k]];
			y[r] = acc;
		}

		/* squares, summed per block */
#pragma omp target teams distribute parallel for map(to: y[0:n]) map(from: partial[0:blocks])
		for (int b = 0; b < blocks; b++) {
			int end = (b + 1) * ROWS_PER_BLOCK < n ? (b + 1) * ROWS_PER_BLOCK : n;
			double acc = 0.0;

			for (int r = b * ROWS_PER_BLOCK; r < end; r++)
				acc += y[r] * y[r];
			partial[b] = acc;
		}

		for (int b = 0; b < blocks; b++)
			sum += partial[b];
		before = lambda;
		lambda = sqrt(sum);
		scale = 1.0 / lambda;

#pragma omp target teams distribute parallel for map(to: y[0:n]) map(from: x[0:n])
		for (int r = 0; r < n; r++)
			x[r] = y[r] * scale;

		if (fabs(lambda - before) < 1e-7 * lambda) {
			iter++;
			break;
		}
	}

	printf("lambda %.17g after %d iterations\n", lambda, iter);
	printf("start   %016llx\n", (unsigned long long)fnv(m->start, (n + 1) * sizeof(int)));
	printf("index   %016llx\n", (unsigned long long)fnv(m->index, nnz * sizeof(int)));
	printf("entry   %016llx\n", (unsigned long long)fnv(m->entry, nnz * sizeof(double)));
	printf("x       %016llx  %.17g %.17g\n", (unsigned long long)fnv(x, n * sizeof(*x)), x[0], x[n - 1]);
	printf("y       %016llx  %.17g %.17g\n", (unsigned long long)fnv(y, n * sizeof(*y)), y[0], y[n - 1]);
	printf("partial %016llx  %.17g\n", (unsigned long long)fnv(partial, blocks * sizeof(*partial)), partial[0]);

	free(x);
	free(y);
	free(partial);
	csr_free(m);
	return 0;
}
