typedef unsigned char myint;
enum color { RED, GREEN = 135, LIMIT };
struct in { long long n0; uint64_t n1; };
struct s { int m0:9; unsigned m1:5; int m2; int m3:30; uint64_t m4; int m5:8; long m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { short w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned char g0; unsigned char g1; uint64_t g2; self char i0; this unsigned j0; self unsigned i1; this int j1; 
string s0, s1; self string t0; this string u0;
short a0[int]; char a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
char arr[4]; this unsigned tarr[4]; self int sp;
inline unsigned char SQUARE[unsigned x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = probename;
BEGIN
{
	g0 = NULL; g1 = RED; g2 = 0; s0 = "tab\there\n"; s1 = "a,b;c d";
	st.m0 = 34; st.m3 = -53; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 739; un.w = 77; self->p = sp;
}

END
{
	@a0 = quantize(g0);
	@a1[probefunc] = avg(g0);
	@a2[ustack(2), 127] = llquantize(g0, 10, 0, 3, 10);
	@a3 = min(g0);
	@a4 = stddev(g0);
}

fbt::canputnext:
/ ((this->j1 != -2147483648) <= 0x59d0c21a) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (rand()) {
		if ((a1["a,b;c d", curlwpsinfo->pr_lwpid] %= xlate<struct xo>(sp).x1)) {
		this->tarr[(this->j0 <= epid) & 3] = (((self->i0--) || (self->i1 | self->i1)) / ((struct s *)(void *)sp->next)->m0);
	}
	(g1 |= (0x7505c4b8 * mutex_type_spin((void *)&sp->in)));
	if (index(lltostr(g2, 32), s0)) {
		printf("=%-15A\n%-*s\n%19x%.5S %c ", (uintptr_t)((this->u0, (g1 * GREEN))), (int)5, self->ss[s1], (((g1 &= g2) >> (arg1 + 300))), inet_ntop(5, (void *)self->q), (int)(ipl));
	a1[strtok(NULL, this->u0), (self->i0++)] = (((self->t0 = s1) > stringof((char *)(void *)sp->bytes)) ? ((struct s *)copyin(this->j1, 53))->m1 : ((379 && vtimestamp) < (vtimestamp << 256)));
	} else {
		st.m0 = (a1[substr(s1, pid), offsetof(struct s, next)]++);
	}
	} else {
		un.w = 1;
	}
	g2 = !((++self->a2[s0]));
	}

END
/ epid /
{
	if (((g2 == g0) ? (--g2) : (int)(0x1d43efa1))) {
		if ((++this->j0)) {
		as[(self->i0 ? errno : uid)] = stringof((char *)(void *)NULL);
	this->tarr[("a" != $$0) & 3] = (g2 % g1);
	self->a2[""] = (int64_t)((++self->a2["AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz"]));
	} else {
		@a2[stack(3), (g2++)] = llquantize((~(self->i1) ^ (TEXT, NULL)), 10, 0, 3, 10, ntohll(this->j0));
	}
	if (((g1 %= self->i0) || g0)) {
		@a2[stack(3), *(size_t *)(void *)&sp->next] = llquantize((st.bytes[this->j1 & 7] < (0x262e2d94 & 2)), 10, 0, 3, 10);
	} else {
		@a2[stack(3), (int)((this->j0 |= ucaller))] = llquantize((errno ^^ (id && `machine_cpu)), 10, 0, 3, 10);
	}
	arr[2] = 5;
	} else {
		self->a2[(this->u0 = s0)] = g0;
	}
	sp = (struct s *)alloca(sizeof(struct s));
	(this->tarr[(self->i1 - g0) & 3] -= ((g2 ? 151 : -1) / 32767));
	bcopy((void *)((char *)(void *)st.next + self->i1), alloca(64), 9);
	@a0 = quantize(-(- -(758)));
	if ((--self->a2["a,b;c d"])) {
		@a1[stringof((char *)(void *)((char *)(void *)(uintptr_t)id - self->i0))] = avg((((int64_t *)(void *)sp->next)[32768] + sizeof(self->i0)));
	self->t0 = (self->t0 = (as[ustackdepth] = strtok("tab\there\n", "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz")));
	}
	}

BEGIN
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (uid) {
		if (((vtimestamp >> g2) % (--this->j0))) {
		(sp->m2 *= ((g2 ? s1 : s1) < strtok(curpsinfo->pr_fname, "tab\there\n")));
	} else {
		this->j1 = (a0[- -(g1)] |= (this->j1 <<= ((struct s *)(void *)curthread)->m1));
	}
	this->j0 = +(offsetof(struct s, bytes));
	}
	trace(sp);
	}

profile-97
{
	a0[(s0 == this->u0)] = +(this->j1);
	if (((void *)(uintptr_t)(stackdepth) <= (struct s *)(void *)sp->next)) {
		printa("[% 11k%%%-+8.1p %@d\n", @a2);
	@a3 = min(((2147483648 & 65535) ^ 'a'));
	} else {
		if (ipl) {
		trace(arr);
	normalize(@a0, (self->i0--));
	func((uintptr_t)this->j0);
	} else {
		sp->m3 = ((uchar_t)((g0++)) & (g1 & (0 ? LIMIT : this->j0)));
	}
	}
	}

