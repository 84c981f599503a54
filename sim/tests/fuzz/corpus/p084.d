typedef uint64_t myint;
enum color { RED = -3, GREEN = -49, LIMIT };
struct in { int8_t n0; unsigned short n1; };
struct s { int8_t m0; uint64_t m1; long long m2; uint64_t m3; unsigned m4; int m5:20; unsigned short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int8_t w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; unsigned char g1; int8_t g2; self char i0; this unsigned j0; self short i1; this unsigned short j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; short a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this unsigned short tarr[4]; self int sp;
inline unsigned char SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 385; g1 = 279; g2 = 160; s0 = "12345678901234567890"; s1 = "\377\200";
	st.m0 = 38; st.m3 = -54; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 640; un.w = 77; self->p = sp;
}

END
{
	@a0 = avg(g0);
	@a1 = sum(g0);
	@a2[stack(3)] = min(g0);
	@a3[stringof(curpsinfo->pr_psargs), RED] = sum(g0);
	@a4[g2] = lquantize(g0, -11, 134, 86);
}

ERROR, fbt::putnext:return
{
	trace((uint64_t)((myint)((self->t0 < s0))));
	a0[(NULL + 32768)] = (+(BIGGER[3, self->i0]) / this->j0);
	g2 = (this->j1 ? ipl : -(g2));
	}

