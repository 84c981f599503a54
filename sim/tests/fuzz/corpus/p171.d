#pragma D option droptags
#pragma D option aggsize=512
#pragma D option flowindent
typedef int myint;
enum color { RED = -3, GREEN = 91, LIMIT };
struct in { uint64_t n0; int n1; };
struct s { int m0:13; uint32_t m1; unsigned m2:6; int m3; long m4; short m5; unsigned short m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; long long x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned g0; uint64_t g1; uint64_t g2; self long i0; this short j0; self long i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; uint32_t a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this unsigned tarr[4]; self int sp;
inline short SQUARE[char x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 1UL; g1 = 255; g2 = 127; s0 = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"; s1 = "";
	st.m0 = 27; st.m3 = -90; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 115; un.w = 77; self->p = sp;
}

END
{
	@a0[this->j1] = llquantize(g0, 10, 0, 6, 20);
	@a1[this->j0, $pid, self->i0] = avg(g0);
	@a2 = avg(g0);
	@a3[this->u0, this->u0, '\n'] = sum(g0);
	@a4 = max(g0);
}

BEGIN
/ *(uint16_t *)alloca(42) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->i0 = ((--a0[RED]) ? ((self->i0--) ? ('\0' != g0) : (this->j0++)) : (size_t)(g2));
	printf("=\n%0#2Sx%017lx\n", stringof((char *)(void *)&sp->in), (long)(((this->j0 -= 0xdc2e053) | 378)));
	st.name = "";
	if ((self->i1 < (++g1))) {
		printf("=, % 4i\t%-*s[%S]%-+d]%'16.2x%%", ((rw_read_held((void *)st.next) ? (g1 %= g2) : 7)), (int)pid, st.name, strjoin(strtok(self->t0, s1), strstr(s1, "12345678901234567890")), (((uid ? this->j1 : '\\') ? (self->i1--) : (this->j0 != this->j1))), (((self->t0 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}") < this->u0)));
	} else {
		printf("=%%%-+9.4c\n%-*d ", (int)((strtok(this->u0, "a,b;c d") >= self->t0)), (int)pid, (errno));
	}
	@a0[GREEN] = llquantize((self->t0, this->j0), 10, 0, 6, 20);
	}

tick-100ms, BEGIN
{
	@a4 = max((g0 <<= (++this->j0)));
	}

tick-10ms, profile-97
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(1);
	printf("=[%0.5ld\t%#1c\n%-+16sx%0#.11X, %-18llx\t", (long)((toupper("\377\200"), rand())), (int)(strlen((arg1 ? zonename : curpsinfo->pr_fname))), ((g0 ? curlwpsinfo->pr_lwpid : 153) ? execname : (self->i0 ? s0 : probeprov)), (RED), (long long)(g2));
	}

fbt:ip:ip_*:, fbt::putnext:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if ((this->j1 ? (this->j1++) : (this->j1--))) {
		@a1[this->tarr[this->j1 & 3], 32, ((self->t0 > "12345678901234567890") << (self->i1--))] = avg(((void *)&sp->in > (struct s *)(void *)(uintptr_t)(curthread->t_pri)));
	} else {
		trace((((256 ? self->i0 : this->j0) + ntohll(arg2)) <= - -((this->j0++))));
	}
	}

