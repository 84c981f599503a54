#pragma D option aggzoom
#pragma D option strsize=3
typedef long long myint;
enum color { RED, GREEN = -32, LIMIT };
struct in { unsigned short n0; unsigned n1; };
struct s { long long m0; unsigned short m1; unsigned char m2; long m3; long m4; uint64_t m5; unsigned m6:18; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
unsigned g0; long g1; unsigned char g2; self int i0; this int8_t j0; self short i1; this short j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; int8_t a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int8_t tarr[4]; self int sp;
inline long SQUARE[long long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "\377\200";
BEGIN
{
	g0 = RED; g1 = 127; g2 = 31; s0 = "oct\101hex\x41"; s1 = "12345678901234567890";
	st.m0 = 75; st.m3 = -62; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 872; un.w = 77; self->p = sp;
}

END
{
	@a0[tid, s1] = min(g0);
	@a1[this->j0, 729, 64] = max(g0);
	@a2 = sum(g0);
	@a3[s1, this->j0] = count();
	@a4[self->i1, s0, 7] = sum(g0);
}

tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	tracemem(alloca(53), 33, (int)(sp - (struct s *)(void *)self->p));
	}

END
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->ss[strchr(self->t0, self->i0)] = strjoin(strtok(NULL, substr(probeprov, g1)), (this->j0 ? (arg2 ? s1 : "abc") : this->u0));
	if (((550 - stackdepth) >= (timestamp & g0))) {
		if (self->i0) {
		sp->m5 = ((unsigned *)copyin((g0 * self->i1), 56))[(sp->m5++)];
	@a2 = sum(+(g2));
	} else {
		@a2 = sum(strlen("AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"));
	}
	} else {
		trace(strlen(strchr(strjoin(s0, execname), (g0--))));
	}
	a0[(pid ? RED : this->j1)] = (this->j0 -= ntohll((0x782eecb0 ^^ self->i0)));
	}

tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(self->sp);
	if (((--self->i1) ^ self->i1)) {
		st.name = copyinstr((uintptr_t)(void *)&sp->in, 121);
	self->ss[substr(self->t0, RED)] = strrchr(toupper(probename), g1);
	} else {
		sp->in.n1 = (s1, ~((self->i0++)));
	}
	st.in.n1 = ((st.name = inet_ntoa((ipaddr_t *)(void *)(uintptr_t)id)) != ((g2++) ? (self->t0 = s0) : strstr(self->t0, "%s%d")));
	}

