#pragma D option argref
#pragma D option defaultargs
#pragma D option strsize=16
typedef unsigned short myint;
enum color { RED = -3, GREEN = 140, LIMIT };
struct in { unsigned short n0; long n1; };
struct s { unsigned m0; unsigned m1:8; int m2:16; unsigned short m3; unsigned char m4; uint64_t m5; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; unsigned x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint64_t g0; uint32_t g1; unsigned char g2; self short i0; this long long j0; self unsigned short i1; this int j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; short a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this unsigned char tarr[4]; self int sp;
inline unsigned short SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "\377\200";
BEGIN
{
	g0 = '\0'; g1 = 131; g2 = 1; s0 = "%s%d"; s1 = "oct\101hex\x41";
	st.m0 = 68; st.m3 = -66; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 50; un.w = 77; self->p = sp;
}

END
{
	@a0[zonename, sym((uintptr_t)caller), $uid] = stddev(g0);
	@a1 = llquantize(g0, 10, 2, 4, 5);
	@a2[this->j1, this->u0] = lquantize(g0, -17, -8, 4);
	@a3[ustack(2)] = quantize(g0);
	@a4[zonename, self->i1] = max(g0);
}

fbt:genunix:str*:entry, tick-10ms
{
	this->u0 = copyinstr((uintptr_t)(void *)(uintptr_t)id, 20);
	}

