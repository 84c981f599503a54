#pragma D option aggrate=100ms
#pragma D option aggpack
typedef uint64_t myint;
enum color { RED = -3, GREEN = 76, LIMIT };
struct in { unsigned n0; unsigned char n1; };
struct s { int m0:31; unsigned m1; long long m2; int m3:16; unsigned m4:14; unsigned m5:6; long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
uint32_t g0; char g1; short g2; self long long i0; this unsigned j0; self long long i1; this int j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; unsigned char a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this unsigned char tarr[4]; self int sp;
inline short SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "12345678901234567890";
BEGIN
{
	g0 = 'a'; g1 = GREEN; g2 = 675; s0 = "tab\there\n"; s1 = "abc";
	st.m0 = 92; st.m3 = -38; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 960; un.w = 77; self->p = sp;
}

END
{
	@a0["{\"a\":[1,{\"b\":\"x\"}],\"c\":null}", sym((uintptr_t)arg0), cwd] = count();
	@a1 = min(g0);
	@a2 = min(g0);
	@a3[stack(3)] = sum(g0);
	@a4[ppid, g1] = count();
}

tick-10ms, BEGIN
{
	@a0[as[self->i1], sym((uintptr_t)caller), s1] = count();
	}

