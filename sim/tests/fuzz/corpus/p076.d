#pragma D option nspec=3
typedef uint64_t myint;
enum color { RED, GREEN = 56, LIMIT };
struct in { int n0; long long n1; };
struct s { long m0; unsigned short m1; unsigned m2:11; long m3; unsigned m4; int m5; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
char g0; unsigned char g1; long g2; self unsigned i0; this long j0; self int i1; this long j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; long a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long arr[4]; this long tarr[4]; self int sp;
inline long long SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 64; g1 = GREEN; g2 = -32768; s0 = "tab\there\n"; s1 = "\377\200";
	st.m0 = 33; st.m3 = -52; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 75; un.w = 77; self->p = sp;
}

END
{
	@a0 = quantize(g0);
	@a1[sym((uintptr_t)arg0), 4294967295] = lquantize(g0, -12, 135, 39);
	@a2["hello world", 954, self->i1] = min(g0);
	@a3 = count();
	@a4[this->u0, '\x7f'] = sum(g0);
}

fbt:sockfs::
{
	trace(a0[(g0--)]);
	(self->i1 *= mutex_owned((void *)((char *)(void *)st.next - $uid)));
	}

