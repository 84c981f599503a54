#pragma D option bufpolicy=ring
#pragma D option errtags
typedef short myint;
enum color { RED = -3, GREEN = 28, LIMIT };
struct in { uint64_t n0; char n1; };
struct s { int8_t m0; unsigned m1:21; uint64_t m2; unsigned m3:11; int8_t m4; int m5:27; int m6:19; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
long long g0; unsigned char g1; uint32_t g2; self int8_t i0; this unsigned short j0; self uint64_t i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; int a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned arr[4]; this uint32_t tarr[4]; self int sp;
inline unsigned SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "abc";
BEGIN
{
	g0 = -1L; g1 = GREEN; g2 = 0x5c3c10bf; s0 = "/usr/bin/../lib//x/"; s1 = "abc";
	st.m0 = 92; st.m3 = -62; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 765; un.w = 77; self->p = sp;
}

END
{
	@a0 = quantize(g0);
	@a1 = count();
	@a2[id] = count();
	@a3 = avg(g0);
	@a4 = stddev(g0);
}

ERROR
/ (a1[self->t0, 954] -= ('a' != curthread->t_pri)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	printf("=\t%0#17P[%*d\t%d[%0#10lld %.4s%%", (int)(((self->i1 != g1) ? (int16_t)('a') : (long long)(this->j0))), (int)-12, ('\0'), (+(-32768)), (long long)((id <= uregs[0])), strjoin(strstr(TEXT, zonename), (882 ? $$0 : s1)));
	}

