#pragma D option quiet
typedef uint32_t myint;
enum color { RED = -3, GREEN = 102, LIMIT };
struct in { char n0; int n1; };
struct s { unsigned char m0; unsigned short m1; short m2; long m3; unsigned m4:25; long long m5; unsigned m6:17; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; unsigned short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
long long g0; uint64_t g1; short g2; self unsigned short i0; this int8_t j0; self unsigned char i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; int8_t a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int8_t tarr[4]; self int sp;
inline uint32_t SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 32768; g1 = 0x52efa684; g2 = 0x30baa76b; s0 = "abc"; s1 = "a";
	st.m0 = 8; st.m3 = -47; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 838; un.w = 77; self->p = sp;
}

END
{
	@a0['\\', g0] = sum(g0);
	@a1 = min(g0);
	@a2 = quantize(g0);
	@a3[s1, s1, execname] = stddev(g0);
	@a4[probemod, g1, s1] = sum(g0);
}

syscall:::return, tick-300ms
/ ((uint64_t)(self->i0) ^ strtoll(s1)) /
{
	s0 = json((as[g2] = json(s0, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz")), (("hello world" >= s0) ? json(self->t0, probefunc) : (this->u0 = "")));
	}

tick-100ms, profile-97
{
	@a4[((ppid == g0) ? strrchr("-0x7f", 1UL) : strtok(NULL, "hello world")), this->j0, ((pid >= self->i1) ? TEXT : inet_ntoa((ipaddr_t *)(void *)&`putnext))] = sum(((0x18ff14de % vtimestamp) != *(int64_t *)(void *)NULL));
	printa("%%% 6.1i]%.8X %@u\n", @a0);
	trace(RED);
	sp->m6 = mutex_type_adaptive((void *)curthread);
	a1[copyinstr((uintptr_t)RED), offsetof(struct s, name)] = (g1 << g2);
	g2 = ((struct s *)copyin((++this->j0), 51))->m3;
	}

fbt:ip::entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	self->ss[substr(s0, g1, 31)] = (SQUARE[(NULL * timestamp)] ? strtok(NULL, s1) : s1);
	}

