/* clang 19 runs iterations outside of the range where an unsigned index is narrower than its bound and steps by more
 * than one. */
void wide_bound(long n, int *p) { for (unsigned i = 0; i < n; i += 2) p[i] = 1; }
void wider_bound(unsigned long n, int *p) { for (unsigned i = 0; i < n; i += 3) p[i] = 1; }
void steps_of_one(long n, int *p) { for (unsigned i = 0; i < n; i++) p[i] = 1; }
void same_width(unsigned n, int *p) { for (unsigned i = 0; i < n; i += 2) p[i] = 1; }
void signed_index(long n, int *p) { for (int i = 0; i < n; i += 2) p[i] = 1; }
