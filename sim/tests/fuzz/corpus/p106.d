#pragma D option quiet
#pragma D option quiet
#pragma D option nspec=3
typedef unsigned short myint;
enum color { RED, GREEN = 125, LIMIT };
struct in { unsigned n0; uint32_t n1; };
struct s { long long m0; unsigned char m1; unsigned m2:12; unsigned short m3; unsigned m4; long long m5; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
int g0; unsigned char g1; int8_t g2; self int i0; this int8_t j0; self long i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; uint32_t a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this unsigned short tarr[4]; self int sp;
inline long long SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 255; g1 = (-9223372036854775807 - 1); g2 = NULL; s0 = "-0x7f"; s1 = "%s%d";
	st.m0 = 1; st.m3 = -58; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 80; un.w = 77; self->p = sp;
}

END
{
	@a0 = sum(g0);
	@a1[zonename] = min(g0);
	@a2[self->i1] = llquantize(g0, 3, 1, 5, 3);
	@a3 = quantize(g0);
	@a4[s1, 0x27fceda7] = llquantize(g0, 3, 1, 5, 3);
}

BEGIN
{
	printf("= %-*d\t%'A %-10lx ", (int)pid, (- -((s0, self->i1))), (uintptr_t)((++a0[NULL])), (long)(((g1 % g1) <= mutex_owned((void *)sp))));
	}

tick-300ms
{
	this->j0 = (a0[speculation()] -= ((g1 << self->i0) || (RED ? this->j1 : RED)));
	}

