#pragma D option aggsortpos=1
#pragma D option specsize=256
#pragma D option agghist
typedef int myint;
enum color { RED = -3, GREEN = 84, LIMIT };
struct in { unsigned short n0; unsigned short n1; };
struct s { unsigned short m0; unsigned short m1; int m2:7; unsigned m3:8; unsigned m4:10; int8_t m5; unsigned m6:8; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint64_t g0; unsigned short g1; short g2; self short i0; this char j0; self unsigned short i1; this short j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; unsigned char a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned short arr[4]; this unsigned tarr[4]; self int sp;
inline int SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "";
BEGIN
{
	g0 = 561; g1 = RED; g2 = 0x4954657; s0 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}"; s1 = "%s%d";
	st.m0 = 32; st.m3 = -88; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 47; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3), probemod, curpsinfo->pr_fname] = llquantize(g0, 10, 2, 4, 5);
	@a1 = quantize(g0);
	@a2 = llquantize(g0, 10, 0, 3, 10);
	@a3[self->i0, 65535, g2] = min(g0);
	@a4 = stddev(g0);
}

ERROR, fbt::putnext:entry
{
	trace(this->tst);
	}

sdt:::
/ RED /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	st.in.n0 = strlen(root);
	}

fbt:genunix:*b:return
/ (arr['\\' & 3] <<= (--g1)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a0[(int)(arg2)] = g2;
	this->tst.m3 = (sp->in.n1 -= (--sp->m1));
	s1 = ((this->j0 / (++this->j1)) ? strtok(NULL, (self->t0 = zonename)) : (-('\0') ? "tab\there\n" : dirname("a,b;c d")));
	s1 = dirname((mutex_owned((void *)sp->next) ? (725 ? execname : s0) : substr(cwd, g2)));
	}

