#pragma D option rawbytes
#pragma D option cleanrate=50hz
typedef short myint;
enum color { RED, GREEN = -36, LIMIT };
struct in { unsigned short n0; uint64_t n1; };
struct s { long long m0; unsigned char m1; int m2:1; uint32_t m3; int m4:9; int m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
unsigned short g0; short g1; long g2; self long long i0; this int8_t j0; self unsigned char i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; char a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this char tarr[4]; self int sp;
inline unsigned char SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 'a'; g1 = 694; g2 = 673; s0 = "abc"; s1 = "a,b;c d";
	st.m0 = 76; st.m3 = -50; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 426; un.w = 77; self->p = sp;
}

END
{
	@a0[self->i1] = max(g0);
	@a1 = avg(g0);
	@a2[arg0] = lquantize(g0, 7, 30, 5);
	@a3[root] = count();
	@a4[sym((uintptr_t)arg0)] = quantize(g0);
}

BEGIN
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	sp->m6 = (s0 <= this->u0);
	printf("=x%8X%%", (((self->i1 | '\\') < self->i1)));
	sp->m6 = (((this->j1 || g1) < NULL) % (~(curthread->t_pri) && - -(0x3677afb3)));
	}

profile-97
/ g0 /
{
	@a2[(0x275c3d67 <= (--g1))] = lquantize((++arr[0 & 3]), 7, 30, 5);
	a0[sizeof(0x41929ae6)] = ((s1 != this->u0) || 32767);
	@a4[sym((uintptr_t)curthread)] = quantize((self->i1--), (-2147483648 ? 2 : 796));
	}

