#pragma D option errtags
typedef long long myint;
enum color { RED = -3, GREEN = 2, LIMIT };
struct in { int n0; int8_t n1; };
struct s { uint32_t m0; long m1; unsigned m2:8; int m3; int m4:21; char m5; int8_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
char g0; uint64_t g1; unsigned short g2; self short i0; this char j0; self long i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; long a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this long tarr[4]; self int sp;
inline int8_t SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "a";
BEGIN
{
	g0 = 0x7fffffffffffffff; g1 = -32768; g2 = RED; s0 = "%s%d"; s1 = "\377\200";
	st.m0 = 63; st.m3 = -23; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 698; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3), curpsinfo->pr_fname, this->j0] = min(g0);
	@a1[this->j0] = llquantize(g0, 10, 0, 6, 20);
	@a2 = quantize(g0);
	@a3[tid, this->j1] = avg(g0);
	@a4 = llquantize(g0, 10, 2, 4, 5);
}

fbt::canputnext:, fbt:genunix:*b:return
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	this->tarr[strtoll(zonename) & 3] = (a1[stringof((char *)(void *)(uintptr_t)id), sizeof(g0)] -= (self->t0 == substr(self->t0, tid, 2)));
	(self->a2[(tid ? s1 : root)] <<= ((0x56b9cb42 / 40) && (g2 -= g1)));
	bcopy((void *)(uintptr_t)id, alloca(78), 54);
	@a4 = llquantize(((--self->i0) <= BIGGER[3, $uid]), 10, 2, 4, 5);
	if ((+(g0) ^^ - -(tid))) {
		if ((--g0)) {
		@a0[stack(3), stringof((char *)(void *)(uintptr_t)(timestamp)), ((self->i1 ? this->j1 : g0) >> (g2 ^ 194))] = min((++a1[zonename, self->i0]));
	arr[ppid & 3] = (--sp->m3);
	this->j0 = strlen(self->t0);
	} else {
		this->j0 = (((972 || 7) ^ 2) / (substr("hello world", GREEN, g2) <= s0));
	}
	}
	this->u0 = dirname(strtok(NULL, dirname(root)));
	}

fbt::putnext:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	(this->tarr[+(2) & 3] %= ((struct s *)(void *)&`putnext)->in.n0);
	self->a2[(this->u0 = cwd)] = !((rindex(s0, s1, RED) && (NULL / 0x7fffffffffffffff)));
	}

udp:::
{
	st.name = stringof((char *)(void *)sp->bytes);
	(g2 >>= (int)(sp - (struct s *)(void *)&`putnext));
	if (g0) {
		this->j1 = ((uint16_t)(index("hello world", this->u0)) * ((--this->j1) <= strlen(self->t0)));
	stack(4);
	}
	}

