#pragma D option droptags
#pragma D option dynvarsize=256
#pragma D option aggsortrev
typedef int8_t myint;
enum color { RED = -3, GREEN = 130, LIMIT };
struct in { int8_t n0; long long n1; };
struct s { uint32_t m0; int m1:8; int m2; unsigned m3:19; long m4; uint32_t m5; unsigned m6:7; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
char g0; int g1; char g2; self int8_t i0; this int8_t j0; self uint64_t i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; unsigned short a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this unsigned short tarr[4]; self int sp;
inline uint64_t SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "tab\there\n";
BEGIN
{
	g0 = 0x7fffffffffffffff; g1 = 282; g2 = 0xffffULL; s0 = "/usr/bin/../lib//x/"; s1 = "abc";
	st.m0 = 25; st.m3 = -11; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 190; un.w = 77; self->p = sp;
}

END
{
	@a0 = quantize(g0);
	@a1[560, mod((uintptr_t)&`putnext), self->i0] = stddev(g0);
	@a2[self->i0] = lquantize(g0, 19, 202, 75);
	@a3[stack(3), probemod, "-0x7f"] = avg(g0);
	@a4 = max(g0);
}

profile-97
{
	self->sp = speculation();
	@a2[(--g0)] = lquantize(strlen(stringof((char *)(void *)sp->next)), 19, 202, 75);
	ustack(9);
	(this->j0 *= ((NULL ? probemod : self->t0), ("hello world" == s0)));
	self->t0 = st.name;
	asp[pid] = st;
	}

fbt::putnext:entry, fbt::putnext:entry
{
	printf("=[%9s[", s0);
	@a2[this->j0] = lquantize(((struct s *)(void *)sp->next)->m3, 19, 202, 75);
	}

END, tick-100ms
{
	speculate(1);
	sp = NULL;
	}

tick-300ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	(self->i1 /= ((7 / g2) < getminor(2147483647)));
	if ((++self->a2[self->t0])) {
		g1 = (self->t0 < (g1 ? copyinstr((uintptr_t)arg1, 93) : s1));
	} else {
		this->j1 = (progenyof(962) > (((int16_t *)(void *)self->p)[g0] || (size_t)(RED)));
	}
	g2 = ((int16_t *)(void *)((char *)(void *)(uintptr_t)(581) - (self->i0--)))[offsetof(struct s, next)];
	if ((a0[this->j0]++)) {
		printf("=[%98hd%%%.5sx%+4.10lld\n%0#20s]", (short)(stackdepth), "\377\200", (long long)(!((long long)(arg1))), lltostr(rw_read_held((void *)&sp->bytes[2]), 18));
	bcopy((void *)sp, alloca(60), 14);
	sp->in.n1 = !(((void *)(uintptr_t)('ab') == (struct s *)copyin(2147483648, 38)));
	} else {
		printf("=, %+89p\t%6o\n", (void *)(uintptr_t)(63), (g2));
	}
	}

