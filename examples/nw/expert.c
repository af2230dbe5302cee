/* Needleman-Wunsch global alignment of two synthetic sequences.  The score
 * matrix is filled along anti-diagonals, one kernel per diagonal; the host
 * then traces the best path back.
 *
 * All matrices are linear in memory, (LEN+1) x (LEN+1).
 *
 * Hand-optimised movement.  Resident during both triangles: the similarities,
 * which go up once, and the scores, which go up once and come down once.  Of the
 * scores only the first row and the first column are read before a kernel writes
 * them; but the column of a row-major matrix is one transfer per row, so that the
 * whole matrix in one call is the better bargain. */
#include <stdio.h>
#include <stdlib.h>

#define LEN     96
#define DIM     (LEN + 1)
#define PENALTY 10
#define CELL(i, j) ((i) * DIM + (j))

static int maximum(int a, int b, int c)
{
	int m = a > b ? a : b;
	return m > c ? m : c;
}

static void generate(int *sequence, int length, unsigned seed)
{
	int i;
	for (i = 1; i <= length; i++) {
		seed = seed * 1103515245u + 12345u;
		sequence[i] = (seed >> 16) % 10;
	}
}

static void dump(const char *name, const int *data, int count)
{
	unsigned long long h = 14695981039346656037ull;
	int i;
	for (i = 0; i < count; i++) {
		h ^= (unsigned int)data[i];
		h *= 1099511628211ull;
	}
	printf("%-10s %016llx first %d last %d\n", name, h, data[0], data[count - 1]);
}

static int traceback(const int *score, const int *similarity, int *path)
{
	int i = LEN, j = LEN, steps = 0;
	while (i > 0 && j > 0) {
		path[steps++] = score[CELL(i, j)];
		if (score[CELL(i, j)] == score[CELL(i - 1, j - 1)] + similarity[CELL(i, j)]) {
			i--;
			j--;
		} else if (score[CELL(i, j)] == score[CELL(i, j - 1)] - PENALTY)
			j--;
		else
			i--;
	}
	return steps;
}

int main(void)
{
	int *score = (int *)malloc(DIM * DIM * sizeof(int));
	int *similarity = (int *)malloc(DIM * DIM * sizeof(int));
	int *path = (int *)calloc(2 * DIM, sizeof(int));
	int first[DIM] = {0}, second[DIM] = {0};
	int i, j, d, steps;

	if (!score || !similarity || !path)
		return 1;

	generate(first, LEN, 7u);
	generate(second, LEN, 11u);

	for (i = 0; i < DIM; i++)
		for (j = 0; j < DIM; j++) {
			score[CELL(i, j)] = 0;
			similarity[CELL(i, j)] = i && j ? (first[i] == second[j] ? 8 : -((first[i] + second[j]) % 5)) : 0;
		}
	for (i = 1; i < DIM; i++)
		score[CELL(i, 0)] = -i * PENALTY;
	for (j = 1; j < DIM; j++)
		score[CELL(0, j)] = -j * PENALTY;

	#pragma omp target data map(to: similarity[0:DIM*DIM]) map(tofrom: score[0:DIM*DIM])
	{
	/* upper left triangle, main diagonal included */
	for (d = 2; d <= LEN + 1; d++) {
		#pragma omp target teams distribute parallel for
		for (i = 1; i < d; i++) {
			int k = d - i;
			score[CELL(i, k)] = maximum(score[CELL(i - 1, k - 1)] + similarity[CELL(i, k)],
			                            score[CELL(i, k - 1)] - PENALTY,
			                            score[CELL(i - 1, k)] - PENALTY);
		}
	}

	/* lower right triangle */
	for (d = LEN + 2; d <= 2 * LEN; d++) {
		#pragma omp target teams distribute parallel for
		for (i = d - LEN; i <= LEN; i++) {
			int k = d - i;
			score[CELL(i, k)] = maximum(score[CELL(i - 1, k - 1)] + similarity[CELL(i, k)],
			                            score[CELL(i, k - 1)] - PENALTY,
			                            score[CELL(i - 1, k)] - PENALTY);
		}
	}

	}

	steps = traceback(score, similarity, path);

	printf("score %d, path of %d steps\n", score[CELL(LEN, LEN)], steps);
	dump("first", first, DIM);
	dump("second", second, DIM);
	dump("similarity", similarity, DIM * DIM);
	dump("score", score, DIM * DIM);
	dump("path", path, 2 * DIM);

	free(score);
	free(similarity);
	free(path);
	return 0;
}
