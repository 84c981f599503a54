typedef unsigned myint;
enum color { RED, GREEN = 92, LIMIT };
struct in { long long n0; unsigned n1; };
struct s { int m0; int m1:14; unsigned short m2; int8_t m3; int m4:1; unsigned m5:1; int m6:6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int8_t w; char c[12]; struct in in; };
struct xo { int x0; char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned short g0; int8_t g1; char g2; self long i0; this short j0; self short i1; this long long j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; uint64_t a1[string, int]; self unsigned short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this uint32_t tarr[4]; self int sp;
inline uint64_t SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = GREEN; g1 = 'a'; g2 = 1UL; s0 = "12345678901234567890"; s1 = "abc";
	st.m0 = 44; st.m3 = -36; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 569; un.w = 77; self->p = sp;
}

END
{
	@a0[g2, curpsinfo->pr_pid] = avg(g0);
	@a1[self->i1] = min(g0);
	@a2[g2, s0, probefunc] = lquantize(g0, 8, 151, 98);
	@a3[self->t0, sym((uintptr_t)arg0), "/usr/bin/../lib//x/"] = avg(g0);
	@a4[$$0, '\n'] = quantize(g0);
}

BEGIN
/ (- -(self->i1) < ($target && 1)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	func((uintptr_t)("12345678901234567890", pid));
	s0 = (as[g1] = self->ss[probemod]);
	(this->tst.m5 &= 0x78520a8a);
	}

