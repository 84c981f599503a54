#pragma D option aggsortrev
#pragma D option zdefs
#pragma D option aggzoom
typedef short myint;
enum color { RED, GREEN = 114, LIMIT };
struct in { uint64_t n0; long long n1; };
struct s { char m0; unsigned m1:29; unsigned short m2; int m3:30; uint32_t m4; int8_t m5; uint64_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
long g0; char g1; unsigned char g2; self short i0; this unsigned short j0; self char i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; int8_t a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this char tarr[4]; self int sp;
inline int SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = -128; g1 = 892; g2 = '\\'; s0 = "-0x7f"; s1 = "";
	st.m0 = 10; st.m3 = -89; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 539; un.w = 77; self->p = sp;
}

END
{
	@a0[RED] = stddev(g0);
	@a1["abc"] = lquantize(g0, 6, 155, 91);
	@a2['\\', self->t0] = sum(g0);
	@a3[self->t0, s1, sym((uintptr_t)caller)] = avg(g0);
	@a4[this->j0, g1, this->u0] = stddev(g0);
}

END, proc:::
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	printf("=]%8p]% 9llx", (void *)(uintptr_t)(((++g2) & (self->i1 + curthread->t_pri))), (long long)(progenyof(- -(32768))));
	a1[(this->u0 = self->t0), (g0 >> -1)] = (self->i0--);
	}

fbt::putnext:return, tick-300ms
/ (--self->i1) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	trace(g2);
	printf("=[%013.6d%%%15llx]%0#.7S%s ", ((g1++)), (long long)(strtoll((self->i0 ? "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}" : s0), 17)), root, st.name);
	}

