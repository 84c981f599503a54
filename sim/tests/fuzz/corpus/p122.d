#pragma D option bufsize=64k
#pragma D option cleanrate=50hz
#pragma D option stackframes=2
typedef unsigned short myint;
enum color { RED = -3, GREEN = -2, LIMIT };
struct in { uint32_t n0; int8_t n1; };
struct s { unsigned short m0; unsigned m1:9; unsigned m2:22; unsigned m3:26; short m4; short m5; unsigned m6:25; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
char g0; unsigned g1; unsigned char g2; self char i0; this unsigned short j0; self int i1; this short j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; long a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this short tarr[4]; self int sp;
inline unsigned SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
BEGIN
{
	g0 = 'a'; g1 = 0xf6b93df; g2 = 'a'; s0 = "tab\there\n"; s1 = "oct\101hex\x41";
	st.m0 = 4; st.m3 = -27; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 492; un.w = 77; self->p = sp;
}

END
{
	@a0[probefunc, uid, 818] = quantize(g0);
	@a1[ustack(2), this->u0] = min(g0);
	@a2[s1, g1] = avg(g0);
	@a3 = quantize(g0);
	@a4 = llquantize(g0, 3, 1, 5, 3);
}

END, profile-199hz
{
	@a0[((g0 -= g0) ? s0 : inet_ntoa((ipaddr_t *)(void *)&`putnext)), *(uint16_t *)(void *)(uintptr_t)(this->j0), (g0 ^= g2)] = quantize((st.in.n0++));
	if ((+(arg0) / self->i0)) {
		trace(curpsinfo->pr_psargs);
	}
	s0 = (s1 = json(stringof((char *)(void *)&sp->bytes[2]), strstr(this->u0, this->u0)));
	st = this->tst;
	}

