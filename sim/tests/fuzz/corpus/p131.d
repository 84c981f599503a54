typedef uint64_t myint;
enum color { RED = -3, GREEN = 77, LIMIT };
struct in { int8_t n0; unsigned char n1; };
struct s { uint64_t m0; int8_t m1; unsigned m2:22; int m3:4; int m4; int8_t m5; char m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
long g0; uint64_t g1; short g2; self int i0; this long j0; self long i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; short a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this uint64_t tarr[4]; self int sp;
inline long long SQUARE[unsigned char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "";
BEGIN
{
	g0 = '\377'; g1 = 0755; g2 = 0x4c341703; s0 = "%s%d"; s1 = "-0x7f";
	st.m0 = 23; st.m3 = -41; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 928; un.w = 77; self->p = sp;
}

END
{
	@a0[arg1] = avg(g0);
	@a1[mod((uintptr_t)arg0), "12345678901234567890"] = quantize(g0);
	@a2["AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz", arg9] = lquantize(g0, 10, 87, 8);
	@a3[self->t0, g1, probename] = llquantize(g0, 10, 0, 6, 20);
	@a4 = llquantize(g0, 10, 0, 6, 20);
}

tick-10ms, tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a0[(ppid ? NULL : NULL)] = LIMIT;
	trace((SQUARE[(++g1)] ? tolower((g1 ? "\377\200" : self->t0)) : toupper(strrchr(this->u0, caller))));
	}

tick-100ms, syscall::write:entry
{
	printf("= ");
	}

fbt::putnext:return
{
	commit(1);
	(this->tst.m5 |= (((unsigned char *)(void *)sp)[self->i0] | (65535 - '\n')));
	self->p = sp;
	(self->i1 += (this->j1 = (arg0 << curthread->t_pri)));
	}

