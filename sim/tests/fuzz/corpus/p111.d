typedef uint32_t myint;
enum color { RED, GREEN = -4, LIMIT };
struct in { uint32_t n0; uint32_t n1; };
struct s { long m0; int8_t m1; char m2; int8_t m3; unsigned m4:23; short m5; unsigned m6:4; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint32_t g0; short g1; long g2; self uint64_t i0; this unsigned short j0; self unsigned i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; unsigned a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this short tarr[4]; self int sp;
inline uint64_t SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = -1L; g1 = GREEN; g2 = 0x7c2cda98; s0 = "%s%d"; s1 = "a";
	st.m0 = 40; st.m3 = -58; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 697; un.w = 77; self->p = sp;
}

END
{
	@a0[probeprov] = avg(g0);
	@a1[probename, $$0] = min(g0);
	@a2 = count();
	@a3 = lquantize(g0, 25, 225, 69);
	@a4[63, 202] = min(g0);
}

tick-10ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (g2) {
		clear(@a1);
	if ((g2 <<= g2)) {
		@a0[basename(s1)] = avg(((++g1) & (g0 %= g1)));
	self->t0 = substr(dirname(json(self->t0, s1)), +((54 * caller)), (('\377' ? "-0x7f" : cwd) > tolower(self->t0)));
	a1["a,b;c d", !(633)] = (self->t0 == (s0 = "a"));
	} else {
		sp->m2 = (0755 | !((NULL ? 'ab' : g0)));
	}
	this->u0 = st.name;
	} else {
		sym((uintptr_t)(this->j1 > this->j1));
	}
	}

