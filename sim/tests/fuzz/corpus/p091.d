#pragma D option ustackframes=1
#pragma D option temporal
typedef uint32_t myint;
enum color { RED, GREEN = 95, LIMIT };
struct in { long n0; long long n1; };
struct s { long long m0; long m1; int m2; unsigned m3:19; int m4; long long m5; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
int8_t g0; unsigned short g1; int8_t g2; self char i0; this int8_t j0; self short i1; this short j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; short a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this unsigned tarr[4]; self int sp;
inline int SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 'ab'; g1 = 585; g2 = 1; s0 = "oct\101hex\x41"; s1 = "oct\101hex\x41";
	st.m0 = 79; st.m3 = -54; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 756; un.w = 77; self->p = sp;
}

END
{
	@a0["%s%d", 0x47e8784b] = sum(g0);
	@a1[sym((uintptr_t)curthread), cwd] = lquantize(g0, -23, 30, 36);
	@a2[mod((uintptr_t)curthread)] = quantize(g0);
	@a3[$$0, stack(3)] = llquantize(g0, 3, 1, 5, 3);
	@a4[TEXT, s1, 0xcb94f7b] = lquantize(g0, 15, 112, 50);
}

fbt:ip::, syscall::write:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	s0 = stringof((char *)(void *)(uintptr_t)((g2++)));
	}

