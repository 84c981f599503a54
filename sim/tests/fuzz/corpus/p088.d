#pragma D option bufsize=1k
#pragma D option cleanrate=50hz
typedef unsigned myint;
enum color { RED = -3, GREEN = 82, LIMIT };
struct in { short n0; unsigned n1; };
struct s { uint32_t m0; unsigned m1; int m2; unsigned short m3; uint64_t m4; int8_t m5; unsigned short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint64_t g0; long g1; char g2; self int i0; this long long j0; self int8_t i1; this long long j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; unsigned char a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this long tarr[4]; self int sp;
inline long long SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 2147483647; g1 = 2147483648; g2 = 268; s0 = "oct\101hex\x41"; s1 = "a";
	st.m0 = 11; st.m3 = -57; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 315; un.w = 77; self->p = sp;
}

END
{
	@a0[s0, TEXT, s1] = quantize(g0);
	@a1[$pid, this->u0, sym((uintptr_t)caller)] = lquantize(g0, 14, 115, 9);
	@a2 = stddev(g0);
	@a3[self->t0, self->i1, s0] = max(g0);
	@a4[1] = min(g0);
}

tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	s1 = lltostr((this->j1 >= (this->j0 ^ g0)));
	}

