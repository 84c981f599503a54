#pragma D option quiet
typedef int8_t myint;
enum color { RED, GREEN = 18, LIMIT };
struct in { int n0; int n1; };
struct s { unsigned m0:23; int m1:29; int8_t m2; int m3:20; unsigned m4; long long m5; int8_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
int8_t g0; unsigned char g1; unsigned char g2; self char i0; this unsigned char j0; self int i1; this long j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; int8_t a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this char tarr[4]; self int sp;
inline uint64_t SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "hello world";
BEGIN
{
	g0 = NULL; g1 = 0x3d79e2f; g2 = 23; s0 = "tab\there\n"; s1 = "a";
	st.m0 = 17; st.m3 = -45; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 33; un.w = 77; self->p = sp;
}

END
{
	@a0[this->u0, 0x2fe15115] = quantize(g0);
	@a1[sym((uintptr_t)&`putnext), s1, s1] = sum(g0);
	@a2[g1, probemod] = min(g0);
	@a3[stack(3), self->t0, this->j0] = max(g0);
	@a4[s1] = sum(g0);
}

fbt:unix::entry
{
	a0[(uint32_t)(self->i0)] = (a0[this->j0]++);
	usym((uintptr_t)(ushort_t)(self->i0));
	}

