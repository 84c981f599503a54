#pragma D option strsize=3
#pragma D option quiet
#pragma D option aggsize=512
typedef unsigned myint;
enum color { RED = -3, GREEN = -18, LIMIT };
struct in { uint32_t n0; short n1; };
struct s { unsigned m0:25; char m1; unsigned m2; unsigned m3:26; int8_t m4; int8_t m5; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
long g0; long long g1; unsigned char g2; self long i0; this short j0; self long long i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; unsigned short a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this char tarr[4]; self int sp;
inline short SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 813; g1 = '\377'; g2 = '\\'; s0 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}"; s1 = "12345678901234567890";
	st.m0 = 42; st.m3 = -7; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 509; un.w = 77; self->p = sp;
}

END
{
	@a0[264, g0] = stddev(g0);
	@a1 = count();
	@a2[s0, 104, s0] = stddev(g0);
	@a3[this->j1] = avg(g0);
	@a4["\377\200"] = sum(g0);
}

END, fbt:ip::
{
	printa(@a3);
	}

