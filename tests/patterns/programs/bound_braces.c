/* --all args: 10, 0 */
/* A loop that may write its own bound, in a file whose braces stand on lines of their own. */
#include <stdio.h>
#include <stdlib.h>

void clear(int *n, int *a)
{
	for (int i = 0; i < *n; i++)
	{
		a[i] = 0;
	}
}

void fill(int c, int *n, int *a)
{
	if (c)
		for (int i = 0; i < *n; i++)
			a[i] = c;
	else
	{
		a[0] = 1;
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10;
	int *a = calloc(64, sizeof *a);
	fill(3, &n, a), a[4] = n;
	fill(40, a + 4, a), fill(0, &n, a);
	for (int i = 0; i < 64; i++) printf("%d ", a[i]);
	clear(a + 5, a), a[8] = n, clear(a + 8, a), clear(&n, a + 2);
	for (int i = 0; i < 64; i++) printf("%d ", a[i]);
	free(a);
	return 0;
}
