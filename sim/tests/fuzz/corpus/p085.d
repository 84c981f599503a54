typedef char myint;
enum color { RED, GREEN = -39, LIMIT };
struct in { uint64_t n0; int8_t n1; };
struct s { int m0:31; unsigned m1:19; uint64_t m2; unsigned char m3; unsigned m4:11; short m5; int8_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
int8_t g0; int8_t g1; unsigned char g2; self unsigned i0; this unsigned j0; self uint32_t i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; long long a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this unsigned char tarr[4]; self int sp;
inline long SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = NULL; g1 = 32767; g2 = 833; s0 = "\377\200"; s1 = "tab\there\n";
	st.m0 = 67; st.m3 = -14; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 57; un.w = 77; self->p = sp;
}

END
{
	@a0['\\', self->i1, ustack(2)] = avg(g0);
	@a1[func((uintptr_t)arg0)] = stddev(g0);
	@a2[RED] = sum(g0);
	@a3[g0, self->t0, g1] = min(g0);
	@a4[sym((uintptr_t)caller), 0x1e4a3a56] = min(g0);
}

fbt::putnext:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a0[(++self->i0), (this->tarr[self->i1 & 3]++), stack(3)] = avg(sizeof(g2));
	}

