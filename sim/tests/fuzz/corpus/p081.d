#pragma D option strsize=3
#pragma D option stackframes=2
#pragma D option aggsortpos=1
typedef unsigned myint;
enum color { RED = -3, GREEN = -38, LIMIT };
struct in { unsigned char n0; unsigned n1; };
struct s { int m0:14; int m1; int m2:5; uint32_t m3; long long m4; short m5; short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
int8_t g0; uint64_t g1; uint64_t g2; self short i0; this unsigned short j0; self long i1; this long j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; char a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this char tarr[4]; self int sp;
inline short SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "";
BEGIN
{
	g0 = 0x4ea6fd35; g1 = 0x34784cc1; g2 = '\x7f'; s0 = "-0x7f"; s1 = "%s%d";
	st.m0 = 22; st.m3 = -45; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 418; un.w = 77; self->p = sp;
}

END
{
	@a0[vtimestamp, s1, g1] = count();
	@a1 = count();
	@a2 = count();
	@a3 = min(g0);
	@a4[s1, 0xb6fd1ae] = stddev(g0);
}

fbt::putnext:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	sp->m1 = 'ab';
	clear(@a3);
	g0 = (curpsinfo->pr_fname, -1);
	}

