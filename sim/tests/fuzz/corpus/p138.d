#pragma D option aggrate=100ms
#pragma D option agghist
#pragma D option stackframes=2
typedef unsigned char myint;
enum color { RED = -3, GREEN = -11, LIMIT };
struct in { unsigned short n0; unsigned short n1; };
struct s { unsigned m0; uint64_t m1; unsigned char m2; unsigned m3:28; short m4; int m5:25; int8_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint32_t w; char c[12]; struct in in; };
struct xo { int x0; uint64_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
unsigned char g0; long long g1; int8_t g2; self long i0; this char j0; self uint32_t i1; this unsigned j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; int8_t a1[string, int]; self uint32_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long arr[4]; this int tarr[4]; self int sp;
inline char SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = -2147483648; g1 = RED; g2 = '\n'; s0 = "tab\there\n"; s1 = "%s%d";
	st.m0 = 0; st.m3 = -18; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 859; un.w = 77; self->p = sp;
}

END
{
	@a0[this->j0, NULL] = sum(g0);
	@a1 = llquantize(g0, 10, 2, 4, 5);
	@a2[self->i0, vtimestamp] = stddev(g0);
	@a3[g1, mod((uintptr_t)&`putnext), s0] = sum(g0);
	@a4 = stddev(g0);
}

fbt:ip::entry, fbt:genunix:str*:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	speculate(1);
	printf("=\n%08.10s\t%-*d %'16.1s[", cleanpath(basename(TEXT)), (int)pid, ((g0--)), strtok(stringof((char *)(void *)&sp->in), strtok(this->u0, this->u0)));
	printf("=\n%'8s%-12d\n%-*d, ", probefunc, (((self->i1 ^^ RED) / (id << 64))), (int)pid, (((self->i1 && ucaller) <= (s0 == this->u0))));
	(self->a2[json(zonename, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz")] &= (this->tarr[this->j1 & 3] >>= (256 < 0x511933a4)));
	self->ss["%s%d"] = toupper(json(s0, s0));
	}

