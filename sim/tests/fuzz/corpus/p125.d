#pragma D option strsize=16
typedef uint32_t myint;
enum color { RED, GREEN = 12, LIMIT };
struct in { char n0; uint64_t n1; };
struct s { int8_t m0; short m1; uint32_t m2; unsigned m3:17; unsigned m4:28; unsigned char m5; int m6:17; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
uint32_t g0; unsigned g1; long long g2; self uint64_t i0; this uint64_t j0; self short i1; this long long j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; long a1[string, int]; self unsigned short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this unsigned short tarr[4]; self int sp;
inline char SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 294; g1 = 699; g2 = -128; s0 = ""; s1 = "12345678901234567890";
	st.m0 = 66; st.m3 = -47; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 460; un.w = 77; self->p = sp;
}

END
{
	@a0[32, s1] = sum(g0);
	@a1 = llquantize(g0, 10, 0, 6, 20);
	@a2[g0] = avg(g0);
	@a3[g2] = count();
	@a4[execname] = stddev(g0);
}

fbt::putnext:return, END
{
	clear(@a0);
	printf("=\t%#.6ldx%-4T\t", (long)(g0), (uint64_t)(g1));
	@a4[strtok(NULL, stringof((char *)(void *)st.next))] = stddev(rand());
	}

fbt::*rput*:, fbt:genunix:*b:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if ((- -(g1) <= htonll(0x528958ec))) {
		(sp->m3 *= ((void *)(uintptr_t)(0x46159520) < (struct s *)(void *)(uintptr_t)(0x6840eec0)));
	bcopy((void *)&`putnext, alloca(20), 1);
	}
	trunc(@a3, 3);
	this->j0 = xlate<struct xo>(sp).x0;
	s0 = inet_ntoa6(alloca(60));
	}

