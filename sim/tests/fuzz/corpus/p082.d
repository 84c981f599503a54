#pragma D option strsize=3
typedef int8_t myint;
enum color { RED = -3, GREEN = 44, LIMIT };
struct in { unsigned n0; uint32_t n1; };
struct s { long long m0; unsigned m1:12; uint64_t m2; unsigned m3:6; unsigned char m4; unsigned m5:28; short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
short g0; int g1; char g2; self unsigned char i0; this char j0; self int i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; uint64_t a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned arr[4]; this uint64_t tarr[4]; self int sp;
inline int8_t SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 128; g1 = GREEN; g2 = 0x63b0c87; s0 = "abc"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 34; st.m3 = -19; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 539; un.w = 77; self->p = sp;
}

END
{
	@a0[g0] = min(g0);
	@a1[ppid] = max(g0);
	@a2[mod((uintptr_t)&`putnext), g0] = llquantize(g0, 3, 1, 5, 3);
	@a3[mod((uintptr_t)caller)] = sum(g0);
	@a4 = min(g0);
}

fbt::putnext:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	(arr[!(caller) & 3] ^= (!(g1) & (599 == NULL)));
	}

