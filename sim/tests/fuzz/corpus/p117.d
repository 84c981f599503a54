#pragma D option dynvarsize=1k
#pragma D option defaultargs
#pragma D option defaultargs
typedef unsigned char myint;
enum color { RED = -3, GREEN = 28, LIMIT };
struct in { unsigned short n0; unsigned char n1; };
struct s { int8_t m0; unsigned short m1; unsigned char m2; int8_t m3; uint64_t m4; unsigned m5; uint64_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
long g0; uint32_t g1; char g2; self unsigned char i0; this unsigned j0; self unsigned char i1; this int j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; uint32_t a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this int tarr[4]; self int sp;
inline unsigned short SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "abc";
BEGIN
{
	g0 = 'ab'; g1 = 'a'; g2 = RED; s0 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 58; st.m3 = -83; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 797; un.w = 77; self->p = sp;
}

END
{
	@a0[s0, 65535, 901] = avg(g0);
	@a1[g1, "12345678901234567890"] = count();
	@a2[1] = lquantize(g0, -25, 66, 31);
	@a3 = sum(g0);
	@a4[65535] = count();
}

profile-97
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->i1 = getminor((-(this->j1) <= ("a", g2)));
	@a0[substr(s0, (g0 |= 744)), -(- -(this->j1)), (($target | this->j1) & '\377')] = avg((uint64_t)(this->j1));
	self->ss[strtok(NULL, $$0)] = s0;
	self->i0 = 0;
	}

