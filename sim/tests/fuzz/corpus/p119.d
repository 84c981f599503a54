typedef unsigned char myint;
enum color { RED = -3, GREEN = 35, LIMIT };
struct in { long n0; unsigned short n1; };
struct s { int m0:11; unsigned m1:20; short m2; unsigned short m3; long long m4; unsigned m5:4; short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; unsigned x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
uint64_t g0; unsigned short g1; uint64_t g2; self unsigned short i0; this char j0; self long long i1; this short j1; 
string s0, s1; self string t0; this string u0;
int8_t a0[int]; int a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this int8_t tarr[4]; self int sp;
inline uint32_t SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 0xc59eb75; g1 = RED; g2 = 'a'; s0 = "a,b;c d"; s1 = "tab\there\n";
	st.m0 = 16; st.m3 = -59; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 782; un.w = 77; self->p = sp;
}

END
{
	@a0[mod((uintptr_t)&`putnext), ustack(2), self->i1] = lquantize(g0, -11, 123, 91);
	@a1[s1, LIMIT, 256] = min(g0);
	@a2[ustack(2)] = count();
	@a3[self->i0] = sum(g0);
	@a4[stack(3)] = llquantize(g0, 10, 2, 4, 5);
}

tick-1ms
{
	st.in.n0 = sizeof(sp);
	@a4[ustack(2)] = llquantize(arr[g1 & 3], 10, 2, 4, 5);
	self->i0 = ((self->i1 ? (865 || this->j1) : +(self->i1)) >= (int)(0x66602447));
	if (!((unsigned)(arg2))) {
		if ((myint)(speculation())) {
		printf("= %'.6o[", ((0x12659f5a == ((void *)(uintptr_t)id < (struct s *)(void *)st.next))));
	uaddr((uintptr_t)(++self->i1));
	g2 = (++this->tst.m1);
	} else {
		st.name = self->t0;
	}
	}
	}

