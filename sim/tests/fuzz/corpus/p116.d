#pragma D option dynvarsize=256
#pragma D option aggsortkey
#pragma D option bufsize=1k
typedef unsigned short myint;
enum color { RED, GREEN = 59, LIMIT };
struct in { short n0; long long n1; };
struct s { unsigned m0; unsigned short m1; unsigned m2; char m3; unsigned char m4; unsigned short m5; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { char w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
uint64_t g0; unsigned char g1; long long g2; self short i0; this unsigned char j0; self int8_t i1; this long long j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; int8_t a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this unsigned short tarr[4]; self int sp;
inline unsigned SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 0755; g1 = -32768; g2 = 0x752f0192; s0 = "/usr/bin/../lib//x/"; s1 = "-0x7f";
	st.m0 = 79; st.m3 = -46; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 575; un.w = 77; self->p = sp;
}

END
{
	@a0[GREEN, stack(3)] = llquantize(g0, 10, 0, 3, 10);
	@a1[this->j1, $uid] = quantize(g0);
	@a2[RED, 719] = min(g0);
	@a3 = lquantize(g0, 15, 95, 3);
	@a4["12345678901234567890", "12345678901234567890", uregs[0]] = avg(g0);
}

profile-97, fbt:genunix:str*:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if ((unsigned)((g2++))) {
		this->tst.m1 = (g0 ? ((916 != this->j0) != getmajor(stackdepth)) : ((-128 <= 0xfd92b8b) ^^ g2));
	}
	arr[(uint32_t)('\x7f') & 3] = NULL;
	asp[g0] = 0;
	}

