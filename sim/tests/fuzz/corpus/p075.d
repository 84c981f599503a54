#pragma D option flowindent
typedef char myint;
enum color { RED = -3, GREEN = 3, LIMIT };
struct in { char n0; int n1; };
struct s { int m0; unsigned m1:17; long long m2; char m3; char m4; unsigned char m5; unsigned m6:7; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
short g0; unsigned char g1; long long g2; self char i0; this unsigned j0; self int8_t i1; this long j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; char a1[string, int]; self long long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int8_t arr[4]; this unsigned tarr[4]; self int sp;
inline uint64_t SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "a,b;c d";
BEGIN
{
	g0 = 0755; g1 = '\n'; g2 = '\x7f'; s0 = "tab\there\n"; s1 = "";
	st.m0 = 97; st.m3 = -70; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 359; un.w = 77; self->p = sp;
}

END
{
	@a0['a', stack(3), zonename] = stddev(g0);
	@a1[ppid, s0] = quantize(g0);
	@a2[523] = quantize(g0);
	@a3[self->t0] = stddev(g0);
	@a4[$$0] = avg(g0);
}

fbt:genunix:str*:entry
{
	self->i0 = (((g1 /= 31) * (this->j1 %= 0x35dee8cd)) < (--g1));
	a0[(s0 == execname)] = 0x23513fc;
	}

