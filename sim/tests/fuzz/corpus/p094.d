#pragma D option aggpack
typedef int8_t myint;
enum color { RED, GREEN = 115, LIMIT };
struct in { long n0; char n1; };
struct s { uint32_t m0; unsigned short m1; unsigned m2:9; uint32_t m3; int m4:3; int m5:31; unsigned m6:17; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
char g0; unsigned g1; int g2; self uint64_t i0; this long long j0; self int i1; this unsigned short j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; char a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this int8_t tarr[4]; self int sp;
inline unsigned SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "%s%d";
BEGIN
{
	g0 = GREEN; g1 = GREEN; g2 = 8; s0 = "%s%d"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 74; st.m3 = -37; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 425; un.w = 77; self->p = sp;
}

END
{
	@a0 = quantize(g0);
	@a1 = avg(g0);
	@a2[$$0] = quantize(g0);
	@a3[ustack(2), stackdepth, s0] = lquantize(g0, 3, 163, 116);
	@a4[NULL] = quantize(g0);
}

END
{
	st.name = (self->ss[s1] = (s0 = inet_ntoa6((void *)&`putnext)));
	@a2[s0] = quantize(((g0 ? s0 : s1), ((struct s *)(void *)self->q)->m5));
	this->tarr[(this->j0 ? self->i0 : 31) & 3] = (offsetof(struct s, in) * this->j0);
	}

