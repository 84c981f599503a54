typedef unsigned myint;
enum color { RED = -3, GREEN = 90, LIMIT };
struct in { int n0; long long n1; };
struct s { int m0; unsigned m1; char m2; int8_t m3; unsigned m4:23; long m5; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint64_t g0; char g1; uint32_t g2; self uint32_t i0; this int j0; self int8_t i1; this unsigned short j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; uint64_t a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this long tarr[4]; self int sp;
inline long long SQUARE[int x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "12345678901234567890";
BEGIN
{
	g0 = 0x4d38348c; g1 = '\x7f'; g2 = 0x14b039df; s0 = "abc"; s1 = "";
	st.m0 = 89; st.m3 = -15; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 455; un.w = 77; self->p = sp;
}

END
{
	@a0 = count();
	@a1["/usr/bin/../lib//x/", '\x7f', self->i1] = max(g0);
	@a2[1] = avg(g0);
	@a3[zonename, 943] = count();
	@a4 = min(g0);
}

fbt:genunix:*b:return
/ (~('\x7f') > stackdepth) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(self->sp);
	(g2 %= (strtok(s0, self->t0) == (18446744073709551615UL ? s0 : this->u0)));
	s0 = (strlen((g2 ? s0 : this->u0)) ? ((0755 >> g1) ? substr(TEXT, 552, '\n') : lltostr(self->i0)) : s0);
	(sp->m4 = self->i0);
	this->j0 = ~((+(NULL) & *(enum color *)(void *)&sp->bytes[2]));
	(sp->in.n0 *= -((g2 ^= 7)));
	printf("=%%%.10X%19.139hu]%-*d", (((g1 & g2) ^^ (++g2))), (ushort_t)(strtoll(dirname("/usr/bin/../lib//x/"), 25)), (int)pid, (!(msgsize((mblk_t *)(void *)sp))));
	}

