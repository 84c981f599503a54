#pragma D option strsize=1024
#pragma D option quiet
typedef short myint;
enum color { RED, GREEN = -44, LIMIT };
struct in { int8_t n0; short n1; };
struct s { int m0:5; short m1; long m2; uint32_t m3; unsigned m4:11; char m5; unsigned char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint64_t w; char c[12]; struct in in; };
struct xo { int x0; unsigned x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
short g0; uint64_t g1; unsigned short g2; self short i0; this int8_t j0; self unsigned short i1; this uint64_t j1; 
string s0, s1; self string t0; this string u0;
long long a0[int]; int a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this uint32_t tarr[4]; self int sp;
inline short SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = GREEN; g1 = NULL; g2 = 2147483648; s0 = "\377\200"; s1 = "\377\200";
	st.m0 = 59; st.m3 = -22; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 112; un.w = 77; self->p = sp;
}

END
{
	@a0[s1] = lquantize(g0, 2, 128, 93);
	@a1[64] = llquantize(g0, 10, 0, 6, 20);
	@a2 = max(g0);
	@a3[this->u0, ucaller] = sum(g0);
	@a4[this->u0] = stddev(g0);
}

fbt::putnext:entry
{
	commit(self->sp);
	(st.m4 -= (self->a2[this->u0]++));
	if ((strrchr("a", -2) < stringof((char *)(void *)(uintptr_t)id))) {
		self->t0 = 0;
	(a1[(g0 ? s0 : "a,b;c d"), (arg9 & 'ab')] /= (sp->in.n0--));
	} else {
		if (offsetof(struct s, next)) {
		(self->a2[s1] += (self->i1 + (31 ^ g0)));
	} else {
		self->a2[basename("{\"a\":[1,{\"b\":\"x\"}],\"c\":null}")] = (a0[(g1 ? gid : g2)]++);
	}
	}
	(this->j0 += +('\\'));
	this->u0 = json(stringof((char *)copyin(LIMIT, 7)), as[tid]);
	}

