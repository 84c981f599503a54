#pragma D option amin=Internal/Internal/Unknown
#pragma D option quiet
typedef int8_t myint;
enum color { RED, GREEN = 59, LIMIT };
struct in { short n0; unsigned n1; };
struct s { long long m0; unsigned short m1; long m2; short m3; unsigned m4:25; long long m5; unsigned m6:6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
int g0; long g1; unsigned short g2; self short i0; this unsigned j0; self short i1; this short j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; unsigned char a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this uint64_t tarr[4]; self int sp;
inline long long SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "tab\there\n";
BEGIN
{
	g0 = LIMIT; g1 = 0x57bbfce8; g2 = '\n'; s0 = "-0x7f"; s1 = "\377\200";
	st.m0 = 7; st.m3 = -88; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 995; un.w = 77; self->p = sp;
}

END
{
	@a0[self->t0] = stddev(g0);
	@a1[161, s0] = max(g0);
	@a2 = max(g0);
	@a3[mod((uintptr_t)curthread), g2] = max(g0);
	@a4[arg1, probefunc] = stddev(g0);
}

tick-10ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	sp = NULL;
	@a1[!(("abc" < s0)), stringof((char *)(void *)NULL)] = max((ushort_t)(sizeof(char)));
	(this->tst.m6 -= (++a1[self->t0, id]));
	self->a2[(arg3 ? curpsinfo->pr_fname : s0)] = (self->a2[this->u0]--);
	}

BEGIN
{
	trace((((s0 = s0) > s0) + (this->j0 -= (cpu ? self->i1 : LIMIT))));
	this->j0 = 0x33702eec;
	s1 = copyinstr((uintptr_t)(void *)((char *)(void *)&sp->in + GREEN));
	(this->j1 *= this->tst.m6);
	}

fbt:genunix:str*:entry, fbt::canputnext:
/ (!(RED) / sizeof(struct in)) /
{
	stack(6);
	@a2 = max((g0 ^= speculation()));
	}

