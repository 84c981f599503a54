#pragma D option nspec=3
#pragma D option aggsize=512
typedef unsigned myint;
enum color { RED = -3, GREEN = -8, LIMIT };
struct in { long long n0; char n1; };
struct s { unsigned m0:30; int m1:5; unsigned m2:2; uint32_t m3; char m4; uint64_t m5; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
int g0; char g1; int8_t g2; self long i0; this uint32_t j0; self uint64_t i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; int a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this short tarr[4]; self int sp;
inline short SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = GREEN; g1 = -1L; g2 = 912; s0 = "tab\there\n"; s1 = "tab\there\n";
	st.m0 = 61; st.m3 = -27; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 657; un.w = 77; self->p = sp;
}

END
{
	@a0 = min(g0);
	@a1 = avg(g0);
	@a2[NULL, arg2] = avg(g0);
	@a3[s0, $uid] = lquantize(g0, -14, 42, 29);
	@a4 = lquantize(g0, -4, 128, 60);
}

sdt:::
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(self->sp);
	if (((arg3 >= g1) ^ (this->j0 ^ 65535))) {
		a0[(self->i1--)] = ustackdepth;
	}
	(sp->in.n1 &= (char)((s1 >= s0)));
	}

