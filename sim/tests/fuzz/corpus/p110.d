#pragma D option aggsize=64k
typedef unsigned myint;
enum color { RED = -3, GREEN = 124, LIMIT };
struct in { char n0; int n1; };
struct s { int m0:19; int m1:20; long m2; short m3; short m4; int m5:7; short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int8_t w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
char g0; int g1; unsigned short g2; self uint32_t i0; this uint64_t j0; self uint32_t i1; this long j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; char a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned short arr[4]; this long tarr[4]; self int sp;
inline int SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 32767; g1 = 32767; g2 = 159; s0 = "hello world"; s1 = "";
	st.m0 = 32; st.m3 = -88; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 30; un.w = 77; self->p = sp;
}

END
{
	@a0[this->u0, stack(3), NULL] = max(g0);
	@a1[2, 143, stack(3)] = count();
	@a2[723, this->u0, -2] = stddev(g0);
	@a3 = sum(g0);
	@a4[s0, gid] = sum(g0);
}

ERROR
/ (g2--) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	discard(self->sp);
	(this->tst.m4 -= epid);
	(this->tarr[(s0 != stringof(curpsinfo->pr_psargs)) & 3] /= (msgsize((mblk_t *)(void *)self->q) - (errno - 456)));
	a1[stringof((char *)(void *)(uintptr_t)id), (self->i0--)] = self->a2[lltostr(g2, 1)];
	self->ss[strtok(this->u0, s0)] = strchr($$0, (arr[0x28108b58 & 3]--));
	}

