/* Two-dimensional finite-difference time-domain kernel (TE mode) on statically
 * sized global arrays, after the PolyBench benchmark of the same name.
 *
 * The kernels carry no map clauses: arrays of known size are implicitly mapped
 * tofrom by every target construct that mentions them. */
#include <stdio.h>
#include <string.h>

#ifndef NX
#define NX 48
#endif
#ifndef NY
#define NY 56
#endif
#ifndef STEPS
#define STEPS 40
#endif

static double ex[NX][NY];
static double ey[NX][NY];
static double hz[NX][NY];
static double pulse[STEPS];

static void init_fields(void)
{
	for (int t = 0; t < STEPS; t++)
		pulse[t] = (double)t / STEPS;

	for (int i = 0; i < NX; i++) {
		for (int j = 0; j < NY; j++) {
			ex[i][j] = (double)(i * (j + 1)) / NX;
			ey[i][j] = (double)(i * (j + 2)) / NY;
			hz[i][j] = (double)(i * (j + 3)) / NX;
		}
	}
}

static unsigned long long field_hash(double (*f)[NY])
{
	unsigned long long h = 1469598103934665603ull;

	for (int i = 0; i < NX; i++) {
		for (int j = 0; j < NY; j++) {
			unsigned long long bits;

			memcpy(&bits, &f[i][j], sizeof(bits));
			h ^= bits;
			h *= 1099511628211ull;
		}
	}
	return h;
}

static void print_field(const char *name, double (*f)[NY])
{
	printf("%s %016llx  %.17g %.17g %.17g\n", name, field_hash(f),
	       f[0][0], f[NX / 2][NY / 2], f[NX - 1][NY - 1]);
}

int main(void)
{
	int t, i, j;

	init_fields();

	for (t = 0; t < STEPS; t++) {
		double source = pulse[t];

#pragma omp target teams distribute parallel for
		for (j = 0; j < NY; j++)
			ey[0][j] = source;

#pragma omp target teams distribute parallel for private(j)
		for (i = 1; i < NX; i++)
			for (j = 0; j < NY; j++)
				ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);

#pragma omp target teams distribute parallel for private(j)
		for (i = 0; i < NX; i++)
			for (j = 1; j < NY; j++)
				ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);

#pragma omp target teams distribute parallel for private(j)
		for (i = 0; i < NX - 1; i++)
			for (j = 0; j < NY - 1; j++)
				hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);

		/* a probe in the middle of the domain, once in ten steps */
		if (t % 10 == 9)
			printf("step %2d  hz %.17g\n", t, hz[NX / 2][NY / 2]);
	}

	print_field("ex", ex);
	print_field("ey", ey);
	print_field("hz", hz);
	for (t = 0; t < STEPS; t += 13)
		printf("pulse[%d] %.17g\n", t, pulse[t]);
	return 0;
}
