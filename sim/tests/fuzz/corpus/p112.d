#pragma D option errtags
#pragma D option bufpolicy=ring
#pragma D option aggsize=64k
typedef unsigned char myint;
enum color { RED = -3, GREEN = 52, LIMIT };
struct in { int n0; long  n1; };
struct s { int m0:10; uint32_t m1; long m2; int m3:16; uint64_t m4; long m5; unsigned char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; char g1; int g2; self uint32_t i0; this int j0; self unsigned i1; this long j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; long long a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this unsigned tarr[4]; self int sp;
inline long long SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string curpsinfocurpsinfocurpsinfocurpsinfocurpsinfoTEXT = probename;
BEGIN
{
	g0 = 32768; g1 = 813; g2 = 0x5d1af666; s0 = "-0x7f"; s1 = "/usr/bin/../lib//x/";
	st.m0 = 80; st.m3 = -57; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 802; un.w = 77; self->p = sp;
}

END
{
	@a0[self->i0, "abc"] = sum(g0);
	@a1["tab\there\n"] = max(g0);
	@a2[g2, 578, probeprov] = quantize(g0);
	@a3[func((uintptr_t)caller), stack(3), self->t0] = avg(g0);
	@a4[$pid, stack(3)] = stddev(g0);
}

fbt:ip::entry
{
	tracemem((void *)(self->p = (struct s *)(void *)((char *)(void *)NULL + 65)), 0);
	clear(@a0);
	trace(sizeof(ushort_t));
	(a0[(this->j1 |= 0)] <<= (64 ^^ (unsigned)(this->j0)));
	st.name = stringof((char *)(void *)(uintptr_t)(sizeof(struct s)));
	;
	}

