#pragma D option bufsize=1k
#pragma D option printsize=64
#pragma D option aggpack
typedef int myint;
enum color { RED, GREEN = 95, LIMIT };
struct in { unsigned short n0; int n1; };
struct s { int m0:6; unsigned m1:15; int m2:15; char m3; unsigned m4; short m5; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
int g0; char g1; int g2; self unsigned short i0; this int8_t j0; self short i1; this char j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; char a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this unsigned tarr[4]; self int sp;
inline char SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "-0x7f";
BEGIN
{
	g0 = 0x7fffffffffffffff; g1 = 31; g2 = 'ab'; s0 = "/usr/bin/../lib//x/"; s1 = "12345678901234567890";
	st.m0 = 40; st.m3 = -52; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 840; un.w = 77; self->p = sp;
}

END
{
	@a0 = max(g0);
	@a1[379, s0] = max(g0);
	@a2[g0] = stddev(g0);
	@a3[self->t0, "\377\200"] = sum(g0);
	@a4[s1] = count();
}

tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	sp->m0 = ((++self->a2[TEXT]) | (g0 >>= ('ab' == self->i0)));
	0;
	}

profile-97
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	print(sp);
	s0 = as[(size_t)('\0')];
	if (-((self->i1 ? ppid : ipl))) {
		st.name = "";
	@a4[((++this->j0) ? stringof((char *)(void *)self->p) : lltostr(g0, 34))] = count();
	}
	@a2[(++a0[GREEN])] = stddev(+((g2 |= -2)));
	@a1[strtoll(lltostr(this->j0), (this->j0++)), strtok(NULL, (this->j1 ? "12345678901234567890" : stringof(curpsinfo->pr_psargs)))] = max((g2 &= 2147483648));
	}

BEGIN
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	a1[this->u0, (s0 >= "hello world")] = !(st.in.n0);
	sym((uintptr_t)(execname, 0x50349656));
	}

fbt:unix::entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a1[lltostr(LIMIT), (this->j1 << NULL)] = xlate<struct xo>(sp).x0;
	ustack(2);
	print(sp);
	(arr[(g1 /= pid) & 3] >>= (('\\' << 2147483647) ^^ progenyof(57)));
	if (((unsigned *)(void *)(uintptr_t)id)[st.bytes[self->i0 & 7]]) {
		st.name = (((self->i1 > self->i1) <= (arg2 << 159)) ? s1 : toupper(stringof((char *)(void *)self->p)));
	this->tst.in.n0 = strtoll((s1 = (g1 ? s0 : probemod)), 3);
	}
	}

