#pragma D option aggsize=64k
#pragma D option aggzoom
#pragma D option statusrate=1ms
typedef uint32_t myint;
enum color { RED = -3, GREEN = 82, LIMIT };
struct in { long long n0; uint32_t n1; };
struct s { uint32_t m0; unsigned m1:18; unsigned m2:14; uint64_t m3; long long m4; int m5; uint64_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
int8_t g0; unsigned g1; int g2; self int i0; this int8_t j0; self char i1; this int j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; int a1[string, int]; self unsigned short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this char tarr[4]; self int sp;
inline short SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 1UL; g1 = 859; g2 = GREEN; s0 = "oct\101hex\x41"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 16; st.m3 = -62; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 397; un.w = 77; self->p = sp;
}

END
{
	@a0['\x7f', 325, cwd] = count();
	@a1[s1, probemod, "a,b;c d"] = count();
	@a2[cpu] = max(g0);
	@a3["\377\200"] = avg(g0);
	@a4 = quantize(g0);
}

END
{
	trunc(@a2);
	}

fbt:genunix:str*:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	stack(8);
	arr[(--self->i1) & 3] = (((++this->j1) << NULL) / (self->i0--));
	trace(pid);
	}

