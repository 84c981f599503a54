#pragma D option bufpolicy=ring
#pragma D option amin=Internal/Internal/Unknown
typedef long myint;
enum color { RED = -3, GREEN = 60, LIMIT };
struct in { int n0; unsigned char n1; };
struct s { unsigned short m0; unsigned m1:6; long long m2; unsigned m3:4; int8_t m4; unsigned char m5; uint64_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
int8_t g0; int g1; long long g2; self long long i0; this short j0; self long i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; unsigned a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned arr[4]; this char tarr[4]; self int sp;
inline char SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 8; g1 = GREEN; g2 = '\n'; s0 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}"; s1 = "\377\200";
	st.m0 = 92; st.m3 = -10; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 614; un.w = 77; self->p = sp;
}

END
{
	@a0[s0] = quantize(g0);
	@a1[func((uintptr_t)arg0), func((uintptr_t)arg0), arg3] = quantize(g0);
	@a2[arg9, this->j1] = max(g0);
	@a3[self->t0] = llquantize(g0, 10, 2, 4, 5);
	@a4[-2, stack(3)] = count();
}

proc:::
{
	print(sp);
	}

