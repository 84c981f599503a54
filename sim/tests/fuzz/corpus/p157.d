#pragma D option specsize=256
#pragma D option bufsize=1k
#pragma D option temporal
typedef long myint;
enum color { RED = -3, GREEN = 142, LIMIT };
struct in { uint64_t n0; unsigned short n1; };
struct s { unsigned short m0; unsigned short m1; int8_t m2; uint32_t m3; uint64_t m4; unsigned char m5; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; int g1; unsigned g2; self uint64_t i0; this unsigned short j0; self unsigned i1; this short j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; uint32_t a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this int8_t tarr[4]; self int sp;
inline unsigned char SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 245; g1 = 32768; g2 = GREEN; s0 = "\377\200"; s1 = "12345678901234567890";
	st.m0 = 52; st.m3 = -8; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 70; un.w = 77; self->p = sp;
}

END
{
	@a0[self->t0] = quantize(g0);
	@a1["%s%d", sym((uintptr_t)curthread)] = stddev(g0);
	@a2 = stddev(g0);
	@a3[zonename, s1] = lquantize(g0, 0, 155, 85);
	@a4[this->j1, self->t0] = quantize(g0);
}

tick-1ms, sched:::
/ g2 /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	this->tarr[(ushort_t)(g0) & 3] = ((long long)((60 > curthread->t_pri)) != (--g1));
	@a0[inet_ntoa((ipaddr_t *)(void *)sp->bytes)] = quantize((a1[s1, '\x7f']++));
	st.m5 = (((this->j0 <<= g2) != (g1 = this->j1)) != (++self->a2[s1]));
	}

profile-97
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->ss[(2 ? self->t0 : "%s%d")] = (st.name = as[self->i1]);
	@a0[(self->ss[this->u0] = (this->u0 = "\377\200"))] = quantize(g1);
	(this->tst.m6 ^= (NULL >> ('\\' % 774)));
	sp->m5 = (char)(`machine_cpu);
	}

BEGIN
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	g0 = (++sp->m0);
	@a0[self->t0] = quantize(BIGGER[3, ("tab\there\n", g0)]);
	@a2 = stddev(((--self->i1) ^ (g1++)));
	arr[(self->t0 != s1) & 3] = (this->j1 %= (('\n' ? self->i1 : g1) << (--g2)));
	}

