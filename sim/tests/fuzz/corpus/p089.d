#pragma D option rawbytes
#pragma D option nspec=3
#pragma D option aggsortpos=1
typedef int8_t myint;
enum color { RED, GREEN = -35, LIMIT };
struct in { uint64_t n0; unsigned short n1; };
struct s { int m0:22; unsigned m1:21; unsigned short m2; uint32_t m3; int8_t m4; unsigned short m5; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint32_t g0; unsigned char g1; long g2; self unsigned i0; this char j0; self uint32_t i1; this short j1; 
string s0, s1; self string t0; this string u0;
long long a0[int]; unsigned short a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this int tarr[4]; self int sp;
inline long long SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "a,b;c d";
BEGIN
{
	g0 = 0x62967cf9; g1 = 0x48dffe21; g2 = '\0'; s0 = "12345678901234567890"; s1 = "%s%d";
	st.m0 = 32; st.m3 = -24; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 519; un.w = 77; self->p = sp;
}

END
{
	@a0[0, ppid, ustack(2)] = avg(g0);
	@a1[probename, root] = min(g0);
	@a2[ustack(2), s1] = avg(g0);
	@a3[self->t0] = count();
	@a4[ustackdepth, stack(3), this->j0] = sum(g0);
}

tick-300ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a0[-(arg0)] = this->j1;
	setopt(s0);
	}

