/* Members of structs, and bit-fields. */
struct s { int x, y; int f : 3, g : 5; int v[4]; };
void f(int n, struct s *p) { for (int i = 0; i < n; i++) p[i].x = p[i].y; }
void g(int n, struct s *p) { for (int i = 0; i < n; i++) p[i].x = p[i + 1].x; }
void h(int n, struct s *p) { for (int i = 0; i < n; i++) p[i].x = p[i + 1].y; }
void k(int n, struct s *p) { for (int i = 0; i < n; i++) p[i].f = p[i].g; }
void m(int n, struct s *p) { for (int i = 0; i < n; i++) p->x += i; }
void o(int n, struct s *p) { for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) p[i].v[j] = 0; }
void q(int n, int m, struct s *p) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i].v[j] = 0; }
void r(int n, struct s *p, struct s *q) { for (int i = 0; i < n; i++) p[i] = q[i]; }
void t(int n, struct s *p) { for (int i = 0; i < n; i++) { struct s l; l.x = i; p[i].x = l.x; } }
void u(int n, struct s *p) { struct s l; for (int i = 0; i < n; i++) { l.x = i; p[i].x = l.x; } }
union u { int i; char c[4]; };
void v(int n, union u *p) { for (int i = 0; i < n; i++) p[i].c[0] = p[i].i; }
void w(int n, union u *p) { for (int i = 0; i < n; i++) p[0].c[i] = 0; }
