#pragma D option aggsize=64k
#pragma D option aggrate=100ms
typedef int myint;
enum color { RED, GREEN = 71, LIMIT };
struct in { short n0; uint64_t n1; };
struct s { unsigned m0:24; short m1; unsigned m2:22; uint32_t m3; uint64_t m4; uint64_t m5; unsigned m6:6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned char g0; short g1; unsigned short g2; self uint32_t i0; this short j0; self uint32_t i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; unsigned a1[string, int]; self unsigned char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this char tarr[4]; self int sp;
inline char SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "tab\there\n";
BEGIN
{
	g0 = '\0'; g1 = 0x2fa50ed9; g2 = 297; s0 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"; s1 = "\377\200";
	st.m0 = 56; st.m3 = -35; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 324; un.w = 77; self->p = sp;
}

END
{
	@a0[g2, mod((uintptr_t)arg0), g1] = quantize(g0);
	@a1[0x29286860, s0, ustack(2)] = min(g0);
	@a2[sym((uintptr_t)caller), self->i0] = lquantize(g0, 1, 121, 88);
	@a3[self->t0, 0x4d3e392a, self->i1] = stddev(g0);
	@a4[g2] = lquantize(g0, 22, 108, 26);
}

fbt::putnext:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if ((sp->m3 |= (GREEN ? g1 : $pid))) {
		this->tst.m1 = (a1[stringof((char *)(void *)sp), +(GREEN)]++);
	}
	if ((self->i0 ? -128 : (this->j0++))) {
		if ((root, (LIMIT & ucaller))) {
		@a0[- -((g1 - g2)), mod((uintptr_t)caller), sp->m2] = quantize(((this->j0 != 0x1d1f627c) | (0x379725f >> this->j0)));
	sp->in.n0 = g0;
	@a0['\0', func((uintptr_t)arg0), (--this->tarr[0x68e8ce & 3])] = quantize(((self->i0 ^ this->j0) >= (self->i0 &= cpu)));
	} else {
		this->tarr[(LIMIT % self->i0) & 3] = (ushort_t)(((g1 != self->i1) > ((void *)self->q <= (struct s *)(void *)&sp->in)));
	}
	} else {
		if (((probemod != this->u0) || ('ab' > this->j1))) {
		printf("=, % .10S\t%0#x, %.7sx", s0, ((self->i1--)), basename((self->i0 ? s0 : stringof(curpsinfo->pr_psargs))));
	g1 = ~((--self->a2[s1]));
	} else {
		stack(4);
	}
	}
	}

fbt:sockfs::
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	discard(1);
	a1[stringof((char *)(void *)self->p), (this->j0 && 0x14f0f648)] = this->j0;
	}

