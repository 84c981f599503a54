typedef unsigned myint;
enum color { RED = -3, GREEN = 27, LIMIT };
struct in { int n0; int n1; };
struct s { unsigned m0:21; unsigned m1:4; long long m2; int8_t m3; short m4; long long m5; long long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; uint32_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; uint32_t g1; uint32_t g2; self long long i0; this int8_t j0; self long long i1; this long j1; 
string s0, s1; self string t0; this string u0;
uint64_t a0[int]; long a1[string, int]; self unsigned short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this unsigned short tarr[4]; self int sp;
inline unsigned short SQUARE[int x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = 1; g1 = 436; g2 = RED; s0 = "/usr/bin/../lib//x/"; s1 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}";
	st.m0 = 21; st.m3 = -43; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 611; un.w = 77; self->p = sp;
}

END
{
	@a0[stack(3)] = stddev(g0);
	@a1[g1, this->j0] = sum(g0);
	@a2["%s%d"] = llquantize(g0, 10, 0, 3, 10);
	@a3 = quantize(g0);
	@a4[s0, 31] = min(g0);
}

proc:::
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	printa("]%s %10@d %7@x\n", @a2, @a2);
	if (epid) {
		if ('\\') {
		(this->j0 |= strlen((this->u0 = root)));
	trace((g1 /= (ushort_t)((self->i0 >= arg2))));
	} else {
		this->tarr[(short)(g0) & 3] = strlen(substr(self->t0, *(int *)(void *)st.next));
	}
	}
	this->tarr[(unsigned)(g2) & 3] = ((stringof((char *)(void *)NULL), (self->i1 %= arg3)) != ((int64_t)('\0') == (g0 |= 0x6a28aa46)));
	if (((self->t0 < curpsinfo->pr_fname) || (self->i0 ? NULL : 4294967295))) {
		printf("= % .5ld%%%-px", (long)((g2 = (g0--))), (void *)(uintptr_t)(-(128)));
	st.name = json(stringof((char *)(void *)self->p), cleanpath((this->u0 = "a")));
	}
	}

BEGIN
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a1[this->u0, (LIMIT - arg1)] = ((- -(8) ? strtok(this->u0, "a") : this->u0), ((cwd, g1) && (arg9 == ppid)));
	g2 = mutex_type_adaptive((void *)self->p);
	(g2 /= (a0[this->j0] /= (this->j0 / arg1)));
	self->a2[lltostr(pid, 27)] = sizeof(uint16_t);
	as[0x13582e4e] = strtok("", (self->i0 ? stringof((char *)(void *)sp->bytes) : strtok(self->t0, s1)));
	@a4[substr((self->t0 = self->t0), this->j1), (substr(self->t0, g2) != (self->t0 = self->t0))] = min(!(("tab\there\n" != "tab\there\n")));
	}

udp:::
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	trace((ustackdepth - sp->in.n0));
	sp = NULL;
	}

fbt:unix::entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a0[ustack(2)] = stddev(((uint64_t)('\0') != (uchar_t)(0x58cb57bc)));
	this->j0 = g2;
	trace(inet_ntop(AF_INET, (void *)&sp->in));
	(g1 |= ((s1 < s0) * (this->j0 % 173)));
	tracemem(copyin(this->j0, 47), 55);
	@a2[json(strjoin(s1, s1), s1)] = llquantize(-((g0 / epid)), 10, 0, 3, 10);
	}

