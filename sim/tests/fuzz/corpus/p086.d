#pragma D option aggzoom
#pragma D option droptags
typedef int myint;
enum color { RED = -3, GREEN = -39, LIMIT };
struct in { uint64_t n0; uint64_t n1; };
struct s { int8_t m0; unsigned char m1; int m2:2; int m3:20; int m4; short m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
int g0; unsigned char g1; char g2; self unsigned short i0; this long j0; self int8_t i1; this char j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; short a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this uint32_t tarr[4]; self int sp;
inline long long SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = -2147483648; g1 = '\\'; g2 = LIMIT; s0 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"; s1 = "";
	st.m0 = 58; st.m3 = -66; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 154; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3)] = max(g0);
	@a1 = max(g0);
	@a2 = count();
	@a3 = lquantize(g0, -4, 157, 151);
	@a4[`machine_cpu, self->t0] = count();
}

tick-300ms
/ ((execname <= "") % (short)('\\')) /
{
	(g0 |= +((++this->j1)));
	sp->m6 = 0x38cf4d88;
	ustack(3);
	(g0 ^= strlen(lltostr(this->j1, 29)));
	}

