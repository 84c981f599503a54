typedef int8_t myint;
enum color { RED = -3, GREEN = 138, LIMIT };
struct in { unsigned short n0; unsigned char n1; };
struct s { unsigned m0:20; uint32_t m1; long m2; unsigned m3:11; long long m4; unsigned m5:13; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint32_t g0; long long g1; short g2; self unsigned char i0; this long long j0; self uint32_t i1; this char j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; unsigned a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int8_t tarr[4]; self int sp;
inline uint32_t SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 324; g1 = 65535; g2 = GREEN; s0 = "hello world"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 61; st.m3 = -64; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 411; un.w = 77; self->p = sp;
}

END
{
	@a0["AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz", stack(3)] = stddev(g0);
	@a1[stack(3), sym((uintptr_t)arg0), g0] = stddev(g0);
	@a2 = stddev(g0);
	@a3[s1, '\377'] = avg(g0);
	@a4[sym((uintptr_t)caller)] = sum(g0);
}

ERROR
/ NULL /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	trace("oct\101hex\x41");
	if (((990 ? 'ab' : g0) % this->j1)) {
		if (((g1 - ipl) % (self->i1 + this->j1))) {
		@a2 = stddev(- -((gid != g2)));
	(arr[0x4fc72027 & 3] >>= (RED || (0x1a90a52 & this->j1)));
	}
	@a3[lltostr((NULL >> arg1)), (sp->in.n1--)] = avg((speculation() || (--this->j0)));
	if ((char)((GREEN * curlwpsinfo->pr_lwpid))) {
		g1 = ((probemod <= strstr(execname, this->u0)) >> ((self->t0, this->j0) ? 0x410ccdeb : !(65535)));
	}
	}
	s0 = lltostr((a0[self->i1] -= g2));
	printf("=]%+.128s]% 125s, %0A %Tx", (id ? this->u0 : zonename), this->u0, (uintptr_t)((this->tarr[0x7b70e5c7 & 3] += (int)(g2))), (uint64_t)(((g2 != this->j1) / (self->i0--))));
	}

