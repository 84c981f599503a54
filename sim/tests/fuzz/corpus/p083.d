#pragma D option specsize=256
#pragma D option aggpack
typedef uint32_t myint;
enum color { RED, GREEN = 98, LIMIT };
struct in { uint32_t n0; long long n1; };
struct s { long m0; unsigned char m1; unsigned m2:1; unsigned char m3; unsigned m4:24; unsigned short m5; int m6:9; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
unsigned char g0; uint64_t g1; long long g2; self unsigned char i0; this short j0; self long i1; this long j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; uint32_t a1[string, int]; self char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this unsigned short tarr[4]; self int sp;
inline int8_t SQUARE[int x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "12345678901234567890";
BEGIN
{
	g0 = '\\'; g1 = 256; g2 = 151; s0 = "hello world"; s1 = "";
	st.m0 = 53; st.m3 = -78; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 940; un.w = 77; self->p = sp;
}

END
{
	@a0[s1, probename] = avg(g0);
	@a1[id, this->u0, stack(3)] = max(g0);
	@a2 = max(g0);
	@a3[probemod] = stddev(g0);
	@a4[self->t0] = lquantize(g0, 16, 64, 34);
}

tick-100ms, tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	clear(@a0);
	}

