typedef int8_t myint;
enum color { RED = -3, GREEN = 69, LIMIT };
struct in { int n0; uint32_t n1; };
struct s { int m0; int m1:17; long m2; int8_t m3; int m4; int m5:16; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint64_t w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned char g0; unsigned short g1; long long g2; self uint64_t i0; this long j0; self unsigned i1; this int j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; uint32_t a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
long long arr[4]; this unsigned tarr[4]; self int sp;
inline unsigned SQUARE[int8_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz";
BEGIN
{
	g0 = 32768; g1 = 0755; g2 = '\0'; s0 = ""; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 19; st.m3 = -78; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 269; un.w = 77; self->p = sp;
}

END
{
	@a0[s0, "tab\there\n"] = quantize(g0);
	@a1[cwd, $$0] = count();
	@a2 = max(g0);
	@a3 = avg(g0);
	@a4[stack(3), this->j1] = llquantize(g0, 2, 0, 6, 2);
}

tick-100ms
{
	if (((0x7fffffffffffffff >= 0x6afb25e3) || (self->i0 |= 64))) {
		g0 = (self->a2[this->u0] = ((this->u0 > this->u0) || (int64_t)($uid)));
	self->i0 = ((('\\' | 2147483647) == (this->j0 += '\x7f')) && NULL);
	}
	if (arr[arg3 & 3]) {
		if ((msgsize((mblk_t *)(void *)&sp->in) >> (timestamp > self->i0))) {
		this->tst = st;
	}
	}
	printa(" %9@d\n", @a2);
	printf("=\t");
	trace(arr);
	if ((st.bytes[GREEN & 7] ? strlen(this->u0) : (uint32_t)(g0))) {
		self->i1 = (self->i1 *= this->tst.m1);
	} else {
		this->j1 = -(sizeof(short));
	}
	}

