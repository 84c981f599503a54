typedef int myint;
enum color { RED, GREEN = 84, LIMIT };
struct in { int n0; unsigned n1; };
struct s { int m0; unsigned m1:18; unsigned m2:18; long long m3; unsigned char m4; char m5; short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
unsigned g0; long long g1; long long g2; self uint32_t i0; this unsigned char j0; self unsigned i1; this char j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; long long a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this char tarr[4]; self int sp;
inline char SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = '\n'; g1 = 0x4f81b194; g2 = 592; s0 = "a"; s1 = "a,b;c d";
	st.m0 = 25; st.m3 = -88; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 571; un.w = 77; self->p = sp;
}

END
{
	@a0[g1, '\n', gid] = min(g0);
	@a1[525, 127] = lquantize(g0, -26, 50, 48);
	@a2[self->t0, "a", stack(3)] = stddev(g0);
	@a3 = quantize(g0);
	@a4 = max(g0);
}

fbt::putnext:entry, fbt::canputnext:
{
	this->j0 = (g1 ? gid : RED);
	}

tick-10ms
/ (size_t)(SQUARE[self->i0]) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a1[(this->u0 = this->u0), (-1L / gid)] = (((--self->i0) & (g2 <= 32767)) >= (uint64_t)((0x4e7dd1a8 < g0)));
	}

