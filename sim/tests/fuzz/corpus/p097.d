#pragma D option ustackframes=1
#pragma D option temporal
typedef unsigned short myint;
enum color { RED = -3, GREEN = -35, LIMIT };
struct in { int n0; short n1; };
struct s { int m0:9; unsigned m1; unsigned short m2; unsigned m3:15; char m4; unsigned m5:30; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
uint64_t g0; uint64_t g1; int g2; self unsigned char i0; this unsigned j0; self unsigned char i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; long long a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this uint32_t tarr[4]; self int sp;
inline uint64_t SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 2147483647; g1 = GREEN; g2 = 64; s0 = "hello world"; s1 = "%s%d";
	st.m0 = 59; st.m3 = -60; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 43; un.w = 77; self->p = sp;
}

END
{
	@a0["a", LIMIT, g0] = sum(g0);
	@a1[this->j0, '\0'] = min(g0);
	@a2[this->u0, self->i1, g0] = max(g0);
	@a3[ustack(2), g2, RED] = avg(g0);
	@a4 = avg(g0);
}

fbt::putnext:entry
{
	@a3[ustack(2), a0[self->i0], - -(((myint *)(void *)&`putnext)[215])] = avg((self->i1--));
	s0 = strstr(strtok(NULL, s0), (self->ss["\377\200"] = (this->j0 ? s0 : "")));
	sp->in.n0 = (sp->m0--);
	self->i0 = (int64_t)((self->i0--));
	}

