#pragma D option bufpolicy=ring
typedef uint32_t myint;
enum color { RED, GREEN = 52, LIMIT };
struct in { char n0; long n1; };
struct s { int m0:2; unsigned char m1; int m2:13; long long m3; long m4; unsigned m5:20; uint32_t m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; unsigned char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->in.n0 * 2;
};
char g0; int8_t g1; int8_t g2; self char i0; this int8_t j0; self short i1; this char j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; long long a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this short tarr[4]; self int sp;
inline unsigned short SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 981; g1 = 0x1f72d0de; g2 = 729; s0 = "12345678901234567890"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 46; st.m3 = -61; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 828; un.w = 77; self->p = sp;
}

END
{
	@a0[s0] = llquantize(g0, 10, 2, 4, 5);
	@a1[stringof(curpsinfo->pr_psargs), probeprov] = quantize(g0);
	@a2["/usr/bin/../lib//x/", 464, g2] = quantize(g0);
	@a3[self->i1, 8, mod((uintptr_t)curthread)] = count();
	@a4[g1, ustack(2)] = lquantize(g0, 21, 36, 7);
}

tick-300ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	@a3[(copyinstr((uintptr_t)GREEN) < stringof((char *)(void *)&sp->bytes[2])), '\377', func((uintptr_t)arg0)] = count();
	trace(un);
	(sp->m2 &= strtoll("%s%d"));
	if (((g2--) != ($uid ? NULL : g1))) {
		self->t0 = 0;
	trace(this->tst);
	}
	@a2[((918 - 0) ? ('\x7f' ? "a,b;c d" : self->t0) : this->u0), (a0[g2] %= (g0 ? '\x7f' : 0755)), (((void *)curthread < (struct s *)(void *)sp->next) >> rw_read_held((void *)self->q))] = quantize((inet_ntop(2, (void *)self->p) != strtok(NULL, this->u0)), (--this->j0));
	}

fbt::putnext:return
/ ~((++g2)) /
{
	(this->j0 = ((s1 = "hello world") != stringof((char *)(void *)self->p)));
	}

fbt:ip:ip_*:
/ this->tst.m2 /
{
	@a0[substr(this->u0, 128, (--g0))] = llquantize((msgsize((mblk_t *)(void *)(uintptr_t)id) << RED), 10, 2, 4, 5);
	}

