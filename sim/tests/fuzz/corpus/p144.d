typedef unsigned short myint;
enum color { RED, GREEN = -27, LIMIT };
struct in { unsigned char n0; short n1; };
struct s { short m0; unsigned m1; unsigned short m2; uint64_t m3; uint32_t m4; char m5; long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int8_t w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
int g0; unsigned g1; uint32_t g2; self char i0; this unsigned j0; self uint32_t i1; this long j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; short a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this int8_t tarr[4]; self int sp;
inline unsigned SQUARE[unsigned short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "tab\there\n";
BEGIN
{
	g0 = 0x29c8700f; g1 = 597; g2 = -1; s0 = "%s%d"; s1 = "hello world";
	st.m0 = 85; st.m3 = -51; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 803; un.w = 77; self->p = sp;
}

END
{
	@a0 = stddev(g0);
	@a1[LIMIT, stack(3)] = max(g0);
	@a2[execname, s0] = max(g0);
	@a3 = lquantize(g0, -28, 69, 42);
	@a4[self->i0, self->t0] = max(g0);
}

fbt::putnext:entry
/ xlate<struct xo>(sp).x1 /
{
	self->a2[(0x21f2d9f5 ? self->t0 : s0)] = (++self->i0);
	sym((uintptr_t)g1);
	s0 = stringof((char *)copyin((self->i1 ^ '\n'), 22));
	(st.in.n1 &= this->j1);
	printf("=\n%-5s", self->ss[probename]);
	@a2[substr(inet_ntop(AF_INET6, (void *)curthread), g0), stringof((char *)copyin(0x6b80f889, 62))] = max((this->j0++));
	}

profile-97, tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	stack(1);
	@a3 = lquantize(a0[this->j0], -28, 69, 42);
	}

ip:::receive
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	this->j1 = (g0 > self->i1);
	sym((uintptr_t)rindex(s1, self->t0));
	g1 = this->j0;
	trace((++g0));
	(self->i0 |= ((this->j0 <<= NULL) == sizeof(timestamp)));
	(g0 %= ((g1++) * index("abc", s1)));
	}

