#pragma D option quiet
#pragma D option bufsize=1k
#pragma D option bufpolicy=ring
typedef long myint;
enum color { RED = -3, GREEN = -24, LIMIT };
struct in { unsigned short n0; unsigned char n1; };
struct s { int m0:30; int m1:10; int m2; int m3:30; uint32_t m4; unsigned short m5; unsigned char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
uint64_t g0; long g1; uint64_t g2; self unsigned char i0; this short j0; self int i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
int8_t a0[int]; unsigned short a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this long long tarr[4]; self int sp;
inline long long SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "abc";
BEGIN
{
	g0 = 64; g1 = LIMIT; g2 = 514; s0 = "%s%d"; s1 = "/usr/bin/../lib//x/";
	st.m0 = 87; st.m3 = -87; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 986; un.w = 77; self->p = sp;
}

END
{
	@a0[probeprov, arg3, self->t0] = lquantize(g0, -26, 152, 165);
	@a1 = min(g0);
	@a2["%s%d", $$0] = llquantize(g0, 2, 0, 6, 2);
	@a3[s0, execname, curpsinfo->pr_fname] = count();
	@a4[s1, "/usr/bin/../lib//x/", this->j0] = llquantize(g0, 10, 0, 3, 10);
}

tick-10ms, fbt::putnext:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	trace((strchr(strjoin("", s1), (arg2 < arg9)) < strchr((this->u0 = "%s%d"), (epid > 'ab'))));
	a1[basename("hello world"), this->j1] = self->i1;
	s1 = strtok(NULL, stringof((char *)copyin(0x58b02a15, 25)));
	printf("=, %a]", (uintptr_t)(0755));
	}

