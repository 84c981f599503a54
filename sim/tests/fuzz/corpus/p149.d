typedef unsigned short myint;
enum color { RED, GREEN = 53, LIMIT };
struct in { unsigned short n0; unsigned short n1; };
struct s { uint32_t m0; unsigned m1:12; unsigned m2:11; long m3; unsigned m4:22; int m5:19; int m6:2; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
long g0; int g1; uint64_t g2; self int i0; this long long j0; self short i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
uint32_t a0[int]; long a1[string, int]; self unsigned a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this int tarr[4]; self int sp;
inline long long SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
BEGIN
{
	g0 = RED; g1 = 0xa5d0d2; g2 = 67; s0 = "tab\there\n"; s1 = "%s%d";
	st.m0 = 23; st.m3 = -17; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 950; un.w = 77; self->p = sp;
}

END
{
	@a0[RED] = sum(g0);
	@a1[0755, sym((uintptr_t)&`putnext)] = max(g0);
	@a2[this->u0, probeprov] = max(g0);
	@a3[NULL] = max(g0);
	@a4[sym((uintptr_t)&`putnext), curpsinfo->pr_fname, sym((uintptr_t)caller)] = avg(g0);
}

profile-97
/ sizeof(short) /
{
	if (- -(ntohll(arg3))) {
		self->a2[cleanpath(self->t0)] = (((int)(sp - (struct s *)(void *)&`putnext) < (GREEN << RED)) ^^ ((18446744073709551615UL ? stackdepth : LIMIT) > (myint)(g0)));
	if (((g2 / 256) ^^ (g2 + $target))) {
		trace(stringof((char *)(void *)sp->bytes));
	}
	if (self->i1) {
		self->i0 = (BIGGER[3, (g2 * 0x6b351269)] ? (strtok(NULL, s1) <= stringof((char *)(void *)self->q)) : sp->m3);
	}
	}
	@a1[(++this->tst.in.n0), sym((uintptr_t)curthread)] = max(strlen(strtok("-0x7f", "a")));
	s0 = stringof((char *)(void *)sp->bytes);
	if (self->i0) {
		clear(@a4);
	st = this->tst;
	} else {
		arr[(4294967295 * gid) & 3] = (s0 <= stringof((char *)(void *)(uintptr_t)id));
	}
	printf("=\n");
	this->tarr[(this->j1--) & 3] = xlate<struct xo>(sp).x1;
	}

