#pragma D option dynvarsize=256
#pragma D option strsize=16
#pragma D option nspec=3
typedef char myint;
enum color { RED = -3, GREEN = 4, LIMIT };
struct in { unsigned char n0; unsigned char n1; };
struct s { int m0; uint64_t m1; unsigned m2:21; unsigned m3:19; int m4:27; uint64_t m5; int m6:28; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint64_t w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
char g0; uint64_t g1; int g2; self short i0; this unsigned short j0; self unsigned char i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; long long a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long arr[4]; this long long tarr[4]; self int sp;
inline long long SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = '\n'; g1 = 2; g2 = RED; s0 = "tab\there\n"; s1 = "tab\there\n";
	st.m0 = 86; st.m3 = -96; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 929; un.w = 77; self->p = sp;
}

END
{
	@a0[mod((uintptr_t)arg0), s0] = stddev(g0);
	@a1[stringof(curpsinfo->pr_psargs), s0, this->u0] = max(g0);
	@a2[this->u0, "\377\200", 65535] = max(g0);
	@a3['\377', s1] = llquantize(g0, 10, 0, 3, 10);
	@a4[-128, this->j1] = sum(g0);
}

tick-100ms, ip:::send
/ 2147483648 /
{
	sp->in.n0 = 638;
	sp->m5 = a1[this->u0, +(ustackdepth)];
	(self->i1 ^= (a1[self->t0, self->i0]--));
	}

