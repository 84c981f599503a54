typedef short myint;
enum color { RED, GREEN = 77, LIMIT };
struct in { char n0; unsigned short n1; };
struct s { short m0; uint32_t m1; int m2:4; long m3; unsigned m4:9; short m5; unsigned m6:27; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; unsigned x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned short g0; unsigned g1; int8_t g2; self uint64_t i0; this int j0; self short i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; unsigned char a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this int tarr[4]; self int sp;
inline unsigned char SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 2; g1 = 0x38e5a6a0; g2 = NULL; s0 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"; s1 = "oct\101hex\x41";
	st.m0 = 16; st.m3 = -94; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 13; un.w = 77; self->p = sp;
}

END
{
	@a0[func((uintptr_t)arg0), s1] = count();
	@a1[0x2e801da9] = max(g0);
	@a2[self->t0, uregs[0]] = count();
	@a3[ustack(2), s1] = count();
	@a4[ustack(2)] = llquantize(g0, 3, 1, 5, 3);
}

END
{
	commit(1);
	(this->tst.m6 <<= (0755 < (--self->i0)));
	if ((int)(sp - (struct s *)(void *)(self->p = (struct s *)(void *)&sp->next))) {
		self->i0 = 31;
	(g0 >>= ((pid == g1) ^ (caller ? this->j1 : this->j1)));
	} else {
		(a0[!(2)] *= (long long)((long long)(g0)));
	}
	}

tick-100ms
{
	speculate(self->sp);
	(this->j1 /= ((s0 = TEXT), xlate<struct xo>(sp).x1));
	}

