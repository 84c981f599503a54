#pragma D option strsize=3
#pragma D option flowindent
typedef uint64_t myint;
enum color { RED, GREEN = 120, LIMIT };
struct in { uint64_t n0; unsigned char n1; };
struct s { unsigned m0:30; long long m1; uint32_t m2; unsigned m3:24; unsigned m4:7; uint32_t m5; unsigned char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
int g0; unsigned g1; unsigned char g2; self int8_t i0; this long long j0; self uint32_t i1; this char j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; short a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this uint64_t tarr[4]; self int sp;
inline unsigned SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
BEGIN
{
	g0 = (-9223372036854775807 - 1); g1 = 0xffffULL; g2 = '\x7f'; s0 = "12345678901234567890"; s1 = "%s%d";
	st.m0 = 65; st.m3 = -4; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 295; un.w = 77; self->p = sp;
}

END
{
	@a0[s1, self->i0, sym((uintptr_t)caller)] = stddev(g0);
	@a1[uid] = llquantize(g0, 10, 0, 3, 10);
	@a2["hello world", stack(3), tid] = sum(g0);
	@a3['ab', this->u0, self->t0] = sum(g0);
	@a4["/usr/bin/../lib//x/", $uid] = quantize(g0);
}

profile-199hz
{
	if (((32767 || g1) ^^ (--g0))) {
		@a4[s1, BIGGER[3, (g0 >>= this->j0)]] = quantize(((self->i1 %= `machine_cpu) || (LIMIT == this->j1)), ((void *)sp >= (struct s *)(void *)NULL));
	ustack(2);
	}
	}

