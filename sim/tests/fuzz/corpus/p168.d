#pragma D option bufsize=64k
#pragma D option droptags
#pragma D option aggrate=100ms
typedef uint64_t myint;
enum color { RED, GREEN = 130, LIMIT };
struct in { unsigned char n0; unsigned short n1; };
struct s { char m0; int m1; int m2; int m3:27; int m4:3; unsigned short m5; unsigned short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
int g0; unsigned g1; int8_t g2; self long i0; this long long j0; self unsigned i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; int8_t a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int tarr[4]; self int sp;
inline long long SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "12345678901234567890";
BEGIN
{
	g0 = '\x7f'; g1 = 0x6248c21c; g2 = 255; s0 = "\377\200"; s1 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
	st.m0 = 97; st.m3 = -51; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 888; un.w = 77; self->p = sp;
}

END
{
	@a0['ab'] = llquantize(g0, 2, 0, 6, 2);
	@a1 = llquantize(g0, 10, 0, 6, 20);
	@a2 = min(g0);
	@a3 = quantize(g0);
	@a4[s1, ppid] = lquantize(g0, 9, 67, 25);
}

profile-97
{
	commit(self->sp);
	if (-((--self->i1))) {
		if (((self->i0--) > self->i0)) {
		g1 = ((this->j1 ^= g1) * a1[zonename, 316]);
	} else {
		as[(size_t)(5)] = strstr(strstr(s1, copyinstr((uintptr_t)1UL, 157)), lltostr(((void *)sp < (struct s *)(void *)self->p), 8));
	}
	g0 = (((unsigned)(7) ? 31 : (this->j0--)) ? this->j0 : (this->tarr[64 & 3]++));
	}
	}

proc:::
{
	self->a2[(ucaller ? self->t0 : curpsinfo->pr_fname)] = - -((inet_ntoa6((void *)(uintptr_t)id) < ((-9223372036854775807 - 1) ? s1 : probefunc)));
	if ((int8_t)((g0 ^ '\0'))) {
		if ((speculation() <= ucaller)) {
		this->tarr[-1L & 3] = (st.m5--);
	@a4[(s1 = s1), (int8_t)(stackdepth)] = lquantize(32, 9, 67, 25);
	@a4[strtok(self->t0, strtok(s1, s1)), (msgsize((mblk_t *)(void *)sp->bytes) ^^ sizeof(this->j1))] = lquantize(((void *)(self->p = (struct s *)(void *)sp) > (struct s *)(void *)sp), 9, 67, 25);
	} else {
		printf("=\n%*d]", (int)pid, (self->i1));
	}
	st = asp[g0];
	}
	trace(strstr((($$0, GREEN) ? substr(s0, 1UL, this->j0) : self->t0), self->t0));
	stack(4);
	}

BEGIN
{
	st.name = s1;
	trace(st.bytes);
	trunc(@a4);
	if ((-(curlwpsinfo->pr_lwpid) * (enum color)(g0))) {
		@a1 = llquantize(((size_t)(8) * (curpsinfo->pr_fname != s0)), 10, 0, 6, 20, st.bytes[65535 & 7]);
	if ((this->j1 <= ~(493))) {
		@a1 = llquantize((g1 >= (g1 < 0xffffULL)), 10, 0, 6, 20);
	} else {
		print(curthread);
	}
	if ((this->tarr[g0 & 3]--)) {
		self->t0 = stringof((char *)(void *)self->q);
	}
	}
	}

