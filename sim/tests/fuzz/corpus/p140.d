#pragma D option agghist
typedef long long myint;
enum color { RED, GREEN = 143, LIMIT };
struct in { uint32_t n0; long long n1; };
struct s { long m0; unsigned m1:23; unsigned m2; short m3; unsigned m4:7; uint32_t m5; unsigned m6:15; char bytes[8]; struct in in; struct s *next; string name; };
union u { uint64_t w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
short g0; unsigned g1; long g2; self unsigned i0; this unsigned j0; self uint32_t i1; this int8_t j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; char a1[string, int]; self int8_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned char arr[4]; this unsigned char tarr[4]; self int sp;
inline unsigned SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "oct\101hex\x41";
BEGIN
{
	g0 = 0x5ce76706; g1 = 0xf95bb5; g2 = 132; s0 = "tab\there\n"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 94; st.m3 = -80; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 734; un.w = 77; self->p = sp;
}

END
{
	@a0[s1, "a"] = lquantize(g0, 1, 82, 69);
	@a1[735, this->j1] = llquantize(g0, 10, 2, 4, 5);
	@a2[execname] = stddev(g0);
	@a3[s0, self->t0] = min(g0);
	@a4[sym((uintptr_t)arg0), $$0] = quantize(g0);
}

syscall::write:entry
{
	(sp->m4 <<= (size_t)((--self->i1)));
	self->t0 = st.name;
	@a2[((2147483648 && 0x6109bbe7) ? self->t0 : substr(self->t0, 410, g0))] = stddev(this->j1);
	if ((++this->tst.m0)) {
		self->a2[stringof((char *)(void *)&sp->bytes[2])] = (this->u0, (self->i0 >= (--self->i1)));
	@a4[sym((uintptr_t)arg0), cleanpath(s1)] = quantize(((s1 > cwd) <= (g0 ^^ LIMIT)));
	} else {
		setopt("aggzoom");
	}
	}

proc:::, tick-100ms
{
	st.m0 = ((*(myint *)(void *)sp + 0x76ae6d89) - (this->j1++));
	st.name = stringof((char *)(void *)&sp->next);
	}

tick-10ms, mib:::
/ (st.bytes[0755 & 7] ? (0x680ed3d3 && LIMIT) : (g2++)) /
{
	setopt("switchrate", "50hz");
	}

