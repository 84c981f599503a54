#pragma D option strsize=1024
#pragma D option temporal
#pragma D option aggsortrev
typedef long long myint;
enum color { RED, GREEN = 121, LIMIT };
struct in { int n0; uint32_t n1; };
struct s { unsigned m0:29; int m1; unsigned m2:11; unsigned m3; uint32_t m4; uint32_t m5; unsigned m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; char x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
unsigned char g0; uint64_t g1; uint64_t g2; self uint32_t i0; this char j0; self short i1; this unsigned short j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; uint64_t a1[string, int]; self long a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint32_t arr[4]; this unsigned tarr[4]; self int sp;
inline unsigned SQUARE[int8_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "";
BEGIN
{
	g0 = '\377'; g1 = '\n'; g2 = RED; s0 = "/usr/bin/../lib//x/"; s1 = "%s%d";
	st.m0 = 26; st.m3 = -63; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 923; un.w = 77; self->p = sp;
}

END
{
	@a0[this->j0, s0] = min(g0);
	@a1[zonename] = max(g0);
	@a2[stringof(curpsinfo->pr_psargs), g2] = lquantize(g0, 10, 89, 4);
	@a3 = avg(g0);
	@a4[g1, g1, g1] = lquantize(g0, -4, 139, 87);
}

tick-100ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	self->a2[strtok("a", this->u0)] = (unsigned)((++g2));
	}

fbt::putnext:entry
/ (GREEN >> (63 / 148)) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (((tid ? "abc" : self->t0) != s0)) {
		printf("=x%-hu\n", (ushort_t)(((0xdea8090 ? arg3 : ucaller) & (uid ? 0x7a8a395d : '\0'))));
	printf("=%%");
	@a3 = avg(((ipl || '\377') != index(s0, s1, '\377')));
	}
	tracemem((void *)self->p, 10, st.bytes['\x7f' & 7]);
	(self->a2[substr(root, g1, g0)] += this->j1);
	normalize(@a1, (0x6a3e3ae4 ? g0 : this->j1));
	}

ERROR
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	(self->a2[json("a,b;c d", s0)] &= '\\');
	0;
	self->ss[(arg2 ? this->u0 : s0)] = strstr((st.name = strtok(self->t0, s1)), stringof((char *)(void *)st.next));
	}

