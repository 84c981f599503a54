#pragma D option specsize=256
typedef unsigned myint;
enum color { RED, GREEN = 51, LIMIT };
struct in { int n0; int n1; };
struct s { int8_t m0; uint64_t m1; long long m2; char m3; short m4; char m5; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint32_t g0; unsigned g1; int g2; self int8_t i0; this unsigned char j0; self char i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
int a0[int]; long long a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this int8_t tarr[4]; self int sp;
inline int SQUARE[int8_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = RED; g1 = 84; g2 = 757; s0 = "hello world"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 33; st.m3 = -49; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 57; un.w = 77; self->p = sp;
}

END
{
	@a0["oct\101hex\x41"] = count();
	@a1[s1, g0, ustack(2)] = stddev(g0);
	@a2[this->j0, s0] = sum(g0);
	@a3[self->i0, this->u0, "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"] = llquantize(g0, 10, 0, 3, 10);
	@a4[probename] = llquantize(g0, 10, 2, 4, 5);
}

fbt:genunix:str*:entry, sdt:::
{
	self->a2[s0] = (++sp->m0);
	@a3[("%s%d" >= substr("{\"a\":[1,{\"b\":\"x\"}],\"c\":null}", 18446744073709551615UL)), (st.name = substr("a,b;c d", g0, 661)), self->ss[TEXT]] = llquantize((this->tarr[ipl & 3]++), 10, 0, 3, 10);
	printf("=]");
	sp = NULL;
	}

tick-1ms
/ (self->a2[self->t0]++) /
{
	speculate(1);
	(this->tst.m3 |= (++sp->in.n1));
	a1[lltostr(this->j0), (self->i1 * g2)] = self->i0;
	;
	self->i1 = (--st.m3);
	printf("=[%-+18o]%+17hu%0#a%%", ((g1--)), (ushort_t)(((myint *)(void *)((char *)(void *)self->q - g1))[(this->j1 < self->i0)]), (uintptr_t)(rw_iswriter((void *)&sp->in)));
	this->tarr[(--self->i1) & 3] = (((this->j1 + ustackdepth) ? (this->j0++) : this->j1) >= (sizeof(int16_t) % (--g2)));
	}

