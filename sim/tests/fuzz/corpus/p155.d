#pragma D option defaultargs
#pragma D option temporal
#pragma D option aggsize=64k
typedef long long myint;
enum color { RED, GREEN = -31, LIMIT };
struct in { unsigned n0; uint32_t n1; };
struct s { uint32_t m0; int8_t m1; int m2:30; long long m3; long long m4; unsigned m5; unsigned m6:9; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned char g0; int8_t g1; unsigned short g2; self short i0; this uint32_t j0; self long long i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
int8_t a0[int]; long long a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this unsigned tarr[4]; self int sp;
inline long SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "\377\200";
BEGIN
{
	g0 = 127; g1 = 7; g2 = 0; s0 = "abc"; s1 = "-0x7f";
	st.m0 = 73; st.m3 = -10; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 974; un.w = 77; self->p = sp;
}

END
{
	@a0 = avg(g0);
	@a1 = lquantize(g0, 8, 171, 74);
	@a2 = count();
	@a3[stack(3), self->t0, 286] = avg(g0);
	@a4[18446744073709551615UL, s0] = quantize(g0);
}

fbt::*rput*:
{
	printf("=\t%'19lld[%-.11a%0#hu%%%#5hu%0#8.11Xx", (long long)((a0[timestamp] *= (696 < this->j0))), (uintptr_t)(+((enum color)(g2))), (ushort_t)(((256 <= self->i1) | (self->i0 || arg1))), (ushort_t)(((void *)(uintptr_t)('\n') <= (struct s *)alloca(59605))), (((size_t)(NULL) ^^ g2)));
	(a1[s0, (long long)($pid)] %= (--this->j0));
	@a1 = lquantize(g2, 8, 171, 74, (int)(sp - (struct s *)(void *)&`putnext));
	(self->i1 *= (int64_t)((--g0)));
	}

fbt:ip::, tick-1ms
/ (975 && this->j1) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	this->j0 = (short)(- -((LIMIT <= gid)));
	printf("=\t%20hd %-14ld[", (short)(arg0), (long)(8));
	(st.in.n0 %= ~((32768 != 950)));
	self->ss[s0] = (((g1 %= ustackdepth) >> (self->i1 % 0x7a7b6535)) ? self->t0 : (((void *)&sp->bytes[2] <= (struct s *)(void *)sp->bytes) ? "-0x7f" : (s0 = $$0)));
	g1 = ((this->tst.m3 += (self->i1++)) ? (self->a2[self->t0]--) : ((g2++) ^ (g2--)));
	trace(self->a2[s1]);
	}

