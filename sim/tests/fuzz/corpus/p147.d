#pragma D option aggzoom
typedef char myint;
enum color { RED, GREEN = -39, LIMIT };
struct in { short n0; uint64_t n1; };
struct s { uint64_t m0; char m1; short m2; int m3:29; char m4; uint32_t m5; int m6:11; char bytes[8]; struct in in; struct s *next; string name; };
union u { long w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
uint32_t g0; uint32_t g1; unsigned short g2; self unsigned short i0; this uint32_t j0; self int i1; this long long j1; 
string s0, s1; self string t0; this string u0;
unsigned char a0[int]; short a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int tarr[4]; self int sp;
inline unsigned short SQUARE[long x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 162; g1 = 255; g2 = RED; s0 = "%s%d"; s1 = "a,b;c d";
	st.m0 = 0; st.m3 = -29; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 179; un.w = 77; self->p = sp;
}

END
{
	@a0[256, func((uintptr_t)caller)] = stddev(g0);
	@a1[arg1, stack(3)] = llquantize(g0, 3, 1, 5, 3);
	@a2[s0, 127, this->u0] = lquantize(g0, -27, 75, 82);
	@a3[self->i1] = sum(g0);
	@a4[probemod, func((uintptr_t)curthread), ustack(2)] = lquantize(g0, 12, 90, 2);
}

fbt:ip::, fbt:unix::entry
{
	self->i1 = (substr((s1 = "%s%d"), self->i0), 32768);
	print(sp);
	}

syscall::write:entry
{
	this->j1 = rand();
	arr[(uchar_t)(625) & 3] = sizeof(long long);
	bcopy(alloca(37), alloca(73), 2);
	printf("=");
	tracemem((void *)(self->p = (struct s *)(void *)&sp->in), 49, (g2 ? ppid : LIMIT));
	}

tick-1ms, END
/ g1 /
{
	this->tarr[(g1 == gid) & 3] = (getminor(vtimestamp) ? (((int *)(void *)&sp->next)[0x2145137a] - (931 - '\\')) : (--g0));
	this->j1 = (self->i1 ^^ ((this->j0++) ^ self->i1));
	}

ERROR, tick-10ms
{
	@a3[((g2 < '\x7f') >> uid)] = sum(((uint32_t)(128) & ntohl(g0)));
	this->tst.m0 = (-((self->i1--)) ? ((++this->j1) && (g1 / 581)) : ((self->i1 <<= LIMIT) ? (GREEN ? cpu : GREEN) : $target));
	}

