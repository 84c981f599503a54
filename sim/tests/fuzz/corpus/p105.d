#pragma D option stackindent=2
#pragma D option agghist
#pragma D option aggrate=100ms
typedef char myint;
enum color { RED = -3, GREEN = -43, LIMIT };
struct in { int n0; char n1; };
struct s { int m0:23; unsigned char m1; unsigned m2:24; uint32_t m3; unsigned m4:8; unsigned m5:4; int m6:1; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; unsigned x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
int8_t g0; long long g1; uint32_t g2; self short i0; this long j0; self unsigned char i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; int a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned arr[4]; this long tarr[4]; self int sp;
inline char SQUARE[unsigned short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "%s%d";
BEGIN
{
	g0 = 349; g1 = -1L; g2 = 0755; s0 = "oct\101hex\x41"; s1 = "";
	st.m0 = 79; st.m3 = -23; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 931; un.w = 77; self->p = sp;
}

END
{
	@a0[g0, 0x27a9b3d] = quantize(g0);
	@a1[arg2] = count();
	@a2[s1, mod((uintptr_t)arg0)] = min(g0);
	@a3[s0, sym((uintptr_t)arg0)] = stddev(g0);
	@a4[this->u0, this->u0, stringof(curpsinfo->pr_psargs)] = llquantize(g0, 3, 1, 5, 3);
}

tick-1ms
/ g0 /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a0[(self->i0 -= '\377')] = SQUARE[((self->i1 |= '\\') ? (int8_t)(843) : (2147483648 != $target))];
	}

