#pragma D option specsize=256
#pragma D option aggsize=64k
typedef char myint;
enum color { RED = -3, GREEN = 83, LIMIT };
struct in { uint64_t n0; uint32_t n1; };
struct s { unsigned short m0; unsigned char m1; long m2; long m3; char m4; unsigned short m5; uint64_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
uint64_t g0; short g1; unsigned short g2; self uint32_t i0; this uint32_t j0; self uint32_t i1; this long j1; 
string s0, s1; self string t0; this string u0;
unsigned short a0[int]; uint64_t a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this int tarr[4]; self int sp;
inline int8_t SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 0x272e38a2; g1 = RED; g2 = '\x7f'; s0 = "12345678901234567890"; s1 = "\377\200";
	st.m0 = 78; st.m3 = -13; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 150; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3)] = stddev(g0);
	@a1[this->j0] = max(g0);
	@a2 = count();
	@a3[ustack(2), 0xffffULL, ustack(2)] = avg(g0);
	@a4[0x75ecbcef, mod((uintptr_t)caller)] = llquantize(g0, 3, 1, 5, 3);
}

tick-100ms, tick-10ms
/ ((uint16_t)(vtimestamp) < (this->j0++)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	s1 = (((g1 + 607) ^ (1UL >> GREEN)) ? inet_ntoa6(alloca(7)) : (s1 = stringof((char *)(void *)curthread)));
	this->j1 = (++this->j1);
	}

fbt::canputnext:, fbt::allocb:
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	a0[!('ab')] = ((void *)sp <= (struct s *)(void *)self->q);
	(self->i1 &= ((self->i1 >>= 127) ? (1 << this->j0) : (this->j1 &= 256)));
	}

