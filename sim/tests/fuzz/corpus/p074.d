#pragma D option defaultargs
typedef int8_t myint;
enum color { RED = -3, GREEN = 92, LIMIT };
struct in { unsigned char n0; long n1; };
struct s { uint32_t m0; char m1; unsigned m2:4; long long m3; uint64_t m4; int m5; unsigned m6:4; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned char g0; unsigned char g1; int8_t g2; self char i0; this unsigned short j0; self char i1; this int j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; int a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this int8_t tarr[4]; self int sp;
inline short SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 0x6ae4ff85; g1 = 1; g2 = LIMIT; s0 = "a,b;c d"; s1 = "oct\101hex\x41";
	st.m0 = 64; st.m3 = -26; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 260; un.w = 77; self->p = sp;
}

END
{
	@a0[cwd, g1] = count();
	@a1[s1, "a", stack(3)] = quantize(g0);
	@a2 = sum(g0);
	@a3[cwd] = avg(g0);
	@a4 = min(g0);
}

ERROR
{
	s1 = lltostr(((this->j0--) ^ (s1 != curpsinfo->pr_fname)));
	this->tst = st;
	}

