#pragma D option stackframes=2
#pragma D option bufsize=64k
#pragma D option flowindent
typedef long long myint;
enum color { RED, GREEN = -50, LIMIT };
struct in { char n0; long long n1; };
struct s { short m0; uint32_t m1; int m2; long long m3; unsigned m4; int m5:2; int m6:28; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint64_t g0; short g1; uint32_t g2; self char i0; this long j0; self int i1; this unsigned char j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; int a1[string, int]; self int a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
unsigned short arr[4]; this unsigned short tarr[4]; self int sp;
inline char SQUARE[int8_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = -128; g1 = 0xffffULL; g2 = 0x270da96c; s0 = "a,b;c d"; s1 = "abc";
	st.m0 = 3; st.m3 = 0; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 797; un.w = 77; self->p = sp;
}

END
{
	@a0[0xcfca5d, g1] = lquantize(g0, -12, 93, 53);
	@a1[errno, s1, g0] = avg(g0);
	@a2 = avg(g0);
	@a3 = quantize(g0);
	@a4[uregs[0], pid] = lquantize(g0, -5, 87, 40);
}

tick-10ms
{
	this->j0 = ((ppid > xlate<struct xo>(sp).x1) >= ((s0, -128) > (--g1)));
	asp[pid] = st;
	self->t0 = stringof((char *)(void *)((char *)(void *)((char *)(void *)&sp->bytes[2] + 0x3e12d073) + g0));
	if ((int)(sp - (struct s *)alloca(22))) {
		tracemem((void *)&sp->bytes[2], 43);
	g1 = xlate<struct xo>(sp).x0;
	if (strlen(strchr("tab\there\n", '\0'))) {
		@a4[((g0--) | strlen(self->t0)), ((--self->i1) <= (this->j0--))] = lquantize((uchar_t)(this->j1), -5, 87, 40);
	g2 = (++self->i1);
	} else {
		@a3 = quantize((uchar_t)((g0 & arg1)));
	}
	}
	}

fbt::putnext:return
{
	self->a2[this->u0] = self->i1;
	printa(" %.9c\t%0#s, %01ld %8@llu\n", @a1);
	}

fbt:sockfs::
{
	@a2 = avg(self->i1);
	}

