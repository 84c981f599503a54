#pragma D option aggpack
#pragma D option strsize=16
#pragma D option flowindent
typedef long long myint;
enum color { RED, GREEN = -31, LIMIT };
struct in { short n0; uint32_t n1; };
struct s { uint64_t m0; int m1:27; uint32_t m2; int m3:4; unsigned char m4; int m5; unsigned m6:22; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
long long g0; unsigned short g1; int8_t g2; self unsigned char i0; this unsigned char j0; self char i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; unsigned short a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this unsigned tarr[4]; self int sp;
inline unsigned short SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
BEGIN
{
	g0 = '\\'; g1 = NULL; g2 = 239; s0 = "12345678901234567890"; s1 = "a";
	st.m0 = 73; st.m3 = -39; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 306; un.w = 77; self->p = sp;
}

END
{
	@a0[716, execname, "\377\200"] = count();
	@a1 = avg(g0);
	@a2 = min(g0);
	@a3[self->i0] = count();
	@a4 = min(g0);
}

BEGIN
/ ((s0 = this->u0) > strtok("a", self->t0)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	trace(dirname(this->u0));
	if (((this->j1++) % (self->i1 | self->i0))) {
		@a4 = min(st.bytes[(NULL >= this->j0) & 7]);
	(g1 /= (sp->m1 += 0x1e543498));
	printf("=, %0#cx% .10d %llxx", (int)(65535), ((self->a2[s0] = (self->i1++))), (long long)(strlen(substr("tab\there\n", 917))));
	} else {
		tracemem((void *)st.next, 55);
	}
	normalize(@a0, 669);
	}

