#pragma D option agghist
typedef unsigned myint;
enum color { RED = -3, GREEN = 53, LIMIT };
struct in { unsigned char n0; int n1; };
struct s { unsigned m0:7; unsigned m1:13; char m2; uint64_t m3; unsigned char m4; unsigned char m5; unsigned m6:7; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
short g0; uint64_t g1; uint64_t g2; self short i0; this unsigned short j0; self long i1; this int j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; int8_t a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this int tarr[4]; self int sp;
inline uint64_t SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = LIMIT; g1 = 0x4a6efb13; g2 = '\x7f'; s0 = ""; s1 = "\377\200";
	st.m0 = 69; st.m3 = -52; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 453; un.w = 77; self->p = sp;
}

END
{
	@a0[s0, 32767, execname] = count();
	@a1[642, mod((uintptr_t)caller)] = llquantize(g0, 10, 0, 6, 20);
	@a2[ustack(2)] = avg(g0);
	@a3 = avg(g0);
	@a4[s1] = min(g0);
}

fbt::putnext:entry
/ ~(BIGGER[3, g0]) /
{
	this->tst.m3 = ((size_t)((0x33ae3477 ? this->j1 : 1UL)) * sp->m2);
	self->ss[s0] = this->u0;
	this->tarr[this->j0 & 3] = (dirname((arg2 ? "12345678901234567890" : curpsinfo->pr_fname)) >= s0);
	a1[(this->u0 = this->u0), +(g0)] = ((enum color)((arg0 < uid)) & ((struct s *)(void *)(uintptr_t)('a'))->in.n0);
	trace(st.in);
	}

tick-10ms
/ (- -(8) / ntohll($pid)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (0x5fb8e3a3) {
		trace(st.in);
	un.w = 1;
	} else {
		this->j0 = strtoll(((g1 += 127) ? self->t0 : stringof((char *)(void *)self->q)), 8);
	}
	}

