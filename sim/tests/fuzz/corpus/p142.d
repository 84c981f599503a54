typedef int8_t myint;
enum color { RED, GREEN = 98, LIMIT };
struct in { uint32_t n0; long long n1; };
struct s { int m0:19; char m1; int m2:12; uint32_t m3; unsigned m4:26; int m5:13; uint64_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
int g0; unsigned short g1; unsigned char g2; self int i0; this unsigned j0; self long long i1; this int j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; unsigned short a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned short arr[4]; this short tarr[4]; self int sp;
inline uint32_t SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
BEGIN
{
	g0 = 255; g1 = 'ab'; g2 = '\n'; s0 = ""; s1 = "12345678901234567890";
	st.m0 = 3; st.m3 = -32; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 82; un.w = 77; self->p = sp;
}

END
{
	@a0 = avg(g0);
	@a1[pid, s1] = stddev(g0);
	@a2 = stddev(g0);
	@a3[s1, 4294967295] = avg(g0);
	@a4 = llquantize(g0, 10, 2, 4, 5);
}

syscall:::entry, tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a1[(int16_t)(BIGGER[3, LIMIT]), "%s%d"] = stddev((uchar_t)((s0, g2)));
	}

fbt::putnext:entry
/ -((this->j1--)) /
{
	ustack(6);
	if ((g2 = (int)(8))) {
		(sp->m0 |= (g1 %= (self->i0 ^ '\0')));
	arr[(arg2 < 0x17845749) & 3] = (strtok(json(s1, TEXT), stringof((char *)(void *)&sp->next)) <= (self->ss[this->u0] = stringof((char *)(void *)self->p)));
	this->u0 = lltostr(((pid ^ this->j0) % (g2--)), 24);
	} else {
		denormalize(@a2);
	}
	}

END
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	if ((++a1[this->u0, g2])) {
		denormalize(@a1);
	} else {
		(g1 >>= +(((void *)sp->next == (struct s *)(void *)&sp->next)));
	}
	ufunc((uintptr_t)(uchar_t)('a'));
	}

