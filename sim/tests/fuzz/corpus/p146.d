#pragma D option argref
typedef unsigned short myint;
enum color { RED = -3, GREEN = -8, LIMIT };
struct in { int8_t n0; unsigned short n1; };
struct s { unsigned m0:4; int m1:19; unsigned m2:3; uint32_t m3; unsigned m4:31; unsigned m5; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; unsigned x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
char g0; unsigned g1; uint64_t g2; self int8_t i0; this int j0; self long i1; this short j1; 
string s0, s1; self string t0; this string u0;
int8_t a0[int]; int a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this unsigned tarr[4]; self int sp;
inline unsigned SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 255; g1 = 0x444e74ff; g2 = 'a'; s0 = "/usr/bin/../lib//x/"; s1 = "-0x7f";
	st.m0 = 6; st.m3 = -60; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 773; un.w = 77; self->p = sp;
}

END
{
	@a0["tab\there\n", stack(3), ustackdepth] = sum(g0);
	@a1[ustack(2), g1, 2] = max(g0);
	@a2[arg0, ustack(2), 0x30a31677] = avg(g0);
	@a3[root] = avg(g0);
	@a4[self->i1, 899, ustack(2)] = stddev(g0);
}

END
{
	@a4[(g0 *= (self->i0++)), ((++this->j1) ^^ g2), ustack(2)] = stddev(((struct s *)(void *)curthread)->m5);
	this->tarr[(g2 ^ 64) & 3] = (int)(sp - (struct s *)(void *)NULL);
	trace(arg1);
	@a2[((gid ? 738 : -32768) * (g2 > self->i1)), stack(3), (BIGGER[3, 752] & (-128 << epid))] = avg(strlen(lltostr(this->j0, 37)));
	if (~(index("a,b;c d", probefunc, LIMIT))) {
		if ((self->a2[probename] /= (int)(902))) {
		trace(((sizeof(sp) & (this->u0 == s0)) ? (g2--) : ((g1++) != (g0 ^ 64))));
	self->a2[strrchr("oct\101hex\x41", '\377')] = (--self->a2[substr("", '\n')]);
	g2 = (substr(strjoin("/usr/bin/../lib//x/", s0), !(-128)), (self->i1 |= (curlwpsinfo->pr_lwpid != 788)));
	} else {
		g2 = (arr[(g0++) & 3] >>= st.bytes[(this->j1 == this->j0) & 7]);
	}
	}
	}

