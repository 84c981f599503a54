#pragma D option bufsize=64k
typedef unsigned char myint;
enum color { RED = -3, GREEN = 20, LIMIT };
struct in { uint64_t n0; char n1; };
struct s { int m0:26; uint32_t m1; long long m2; unsigned m3:7; short m4; unsigned char m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int8_t w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
unsigned short g0; long g1; int8_t g2; self long i0; this long long j0; self int i1; this long long j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; int a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned short arr[4]; this long tarr[4]; self int sp;
inline short SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "/usr/bin/../lib//x/";
BEGIN
{
	g0 = 234; g1 = 0x3f13929c; g2 = RED; s0 = "\377\200"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 63; st.m3 = -61; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 685; un.w = 77; self->p = sp;
}

END
{
	@a0[0755, -32768, probeprov] = min(g0);
	@a1[64] = sum(g0);
	@a2 = count();
	@a3[s1, g2, s0] = count();
	@a4["{\"a\":[1,{\"b\":\"x\"}],\"c\":null}", this->j0, zonename] = lquantize(g0, -9, 189, 178);
}

fbt:sockfs::
{
	(st.m5 &= ((0x51d6f4a5 == g0) << (g1 ? caller : self->i0)));
	}

tcp:::
{
	discard(self->sp);
	if (self->i0) {
		this->tarr[('ab' >> g2) & 3] = (this->tst.in.n1--);
	(st.m3 /= (self->a2[self->t0]++));
	(sp->m6 *= 411);
	} else {
		if (((0x4bffa58a << g2) | htonl(g1))) {
		g1 = (self->a2[inet_ntoa((ipaddr_t *)(void *)curthread)]--);
	(a1[basename("12345678901234567890"), (int)(sp - (struct s *)(void *)&sp->next)] /= 553);
	} else {
		(this->tst.m0 |= ((g1 = curpsinfo->pr_pid) > (g0 != g1)));
	}
	}
	}

