#pragma D option quiet
#pragma D option aggsortkey
typedef unsigned myint;
enum color { RED, GREEN = 132, LIMIT };
struct in { long long n0; unsigned char n1; };
struct s { unsigned char m0; unsigned m1:6; unsigned m2:14; long m3; short m4; unsigned m5:15; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned char g0; unsigned short g1; uint32_t g2; self uint64_t i0; this unsigned char j0; self uint32_t i1; this short j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; uint64_t a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this long long tarr[4]; self int sp;
inline uint32_t SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "abc";
BEGIN
{
	g0 = -32768; g1 = 999; g2 = 65535; s0 = "hello world"; s1 = "hello world";
	st.m0 = 14; st.m3 = -90; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 848; un.w = 77; self->p = sp;
}

END
{
	@a0 = avg(g0);
	@a1[$$0] = sum(g0);
	@a2[this->u0] = quantize(g0);
	@a3[g1, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"] = stddev(g0);
	@a4[stack(3), self->i1, curthread->t_pri] = count();
}

tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	@a4[ustack(2), (++st.m0), ((self->i1 ? this->j1 : tid) && arg2)] = count();
	if (((probefunc != "\377\200") > (s0, 0x1d553e37))) {
		if (curthread->t_pri) {
		g1 = (((ustackdepth < ucaller) || (g2--)) ^ index(s1, substr(s0, ustackdepth, this->j0), (LIMIT < g1)));
	} else {
		a0[+(this->j1)] = strlen(strtok(NULL, stringof((char *)(void *)curthread)));
	}
	sp = (struct s *)alloca(sizeof(struct s));
	}
	}

udp:::, ERROR
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	trace(s1);
	tracemem((void *)(uintptr_t)(strlen("a")), 73);
	trace(*sp);
	@a0 = avg(((ipl && 'a') ? strlen(this->u0) : self->i1));
	}

