#pragma D option defaultargs
#pragma D option strsize=3
typedef short myint;
enum color { RED = -3, GREEN = -37, LIMIT };
struct in { int8_t n0; short n1; };
struct s { unsigned short m0; long m1; uint64_t m2; uint32_t m3; unsigned m4:5; long m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
short g0; unsigned char g1; long g2; self unsigned short i0; this char j0; self unsigned char i1; this char j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; long long a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this int tarr[4]; self int sp;
inline unsigned SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = LIMIT; g1 = LIMIT; g2 = '\377'; s0 = ""; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 40; st.m3 = -53; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 962; un.w = 77; self->p = sp;
}

END
{
	@a0[probemod] = llquantize(g0, 10, 0, 3, 10);
	@a1[mod((uintptr_t)curthread)] = quantize(g0);
	@a2[self->i1, '\0'] = avg(g0);
	@a3[this->j1, sym((uintptr_t)&`putnext), self->i1] = lquantize(g0, -16, 30, 16);
	@a4[cpu] = quantize(g0);
}

ERROR
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(self->sp);
	this->j1 = ((++this->tst.in.n1) <= +(g1));
	if (*(unsigned *)(void *)((char *)(void *)NULL - this->j0)) {
		(g0 ^= arr[874 & 3]);
	this->j1 = (a1[strstr(this->u0, s1), (this->u0, RED)] -= rindex(s1, (this->u0 = "oct\101hex\x41"), (self->i0 <= 65535)));
	self->a2[copyinstr((uintptr_t)curthread->t_pri)] = ((getminor(32768) != ((void *)sp > (struct s *)(void *)st.next)) | (sp->m0 >>= (self->i1 *= stackdepth)));
	} else {
		if (offsetof(struct s, in)) {
		(sp->m4 ^= (LIMIT | (this->j1--)));
	asp[pid] = st;
	} else {
		(arr[(probefunc, '\\') & 3] &= (g0--));
	}
	}
	if ((int)(sp - (struct s *)alloca(43))) {
		this->u0 = "a";
	sp->m0 = ((myint)((g1 <<= self->i1)) ^^ BIGGER[3, self->i1]);
	}
	printf("=, %'o]% 16d, ", ((cleanpath(self->t0), (0x5973ab9f << arg0))), (char)((self->i0++)));
	}

tick-300ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	(self->i0 += ((self->i1 && 528) && self->i0));
	normalize(@a4, 360);
	sym((uintptr_t)(--g1));
	}

