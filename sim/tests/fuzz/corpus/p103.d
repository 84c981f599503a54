#pragma D option aggsize=512
#pragma D option nspec=3
#pragma D option dynvarsize=1k
typedef int myint;
enum color { RED, GREEN = 74, LIMIT };
struct in { short n0; long long n1; };
struct s { short m0; int m1; int m2; unsigned m3:21; uint64_t m4; int m5:14; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint64_t g0; long long g1; long g2; self uint32_t i0; this uint64_t j0; self long long i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; int a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this uint32_t tarr[4]; self int sp;
inline uint32_t SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = LIMIT; g1 = 'a'; g2 = 64; s0 = "sum\there\n"; s1 = "";
	st.m0 = 64; st.m3 = -35; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 99; un.w = 77; self->p = sp;
}

END
{
	@a0 = avg(g0);
	@a1[s0] = quantize(g0);
	@a2["/usr/bin/../lib//x/"] = stddev(g0);
	@a3[probemod] = count();
	@a4[g1, func((uintptr_t)arg0)] = lquantize(g0, 28, 150, 106);
}

tick-300ms
{
	self->i0 = (--this->j1);
	}

END
/ (--a0['\x7f']) /
{
	commit(1);
	(self->a2[(s0 = this->u0)] ^= (self->i1 -= (arg0 / this->j1)));
	(st.m6 >>= (self->i1 <<= (curlwpsinfo->pr_lwpid - 2)));
	(self->i0 *= sizeof(uint32_t));
	}

