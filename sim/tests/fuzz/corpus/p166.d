typedef int myint;
enum color { RED, GREEN = 69, LIMIT };
struct in { int8_t n0; int n1; };
struct s { uint64_t m0; uint32_t m1; unsigned short m2; unsigned short m3; int m4:31; uint32_t m5; int m6; char bytes[8]; struct in in; struct s *next; string name; };
union u { long long w; char c[12]; struct in in; };
struct xo { int x0; int x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : q->m3;
};
unsigned g0; long g1; int g2; self int i0; this short j0; self int i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
unsigned a0[int]; uint32_t a1[string, int]; self char a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
uint64_t arr[4]; this int8_t tarr[4]; self int sp;
inline int SQUARE[short x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "tab\there\n";
BEGIN
{
	g0 = 31; g1 = RED; g2 = -1; s0 = "a"; s1 = "tab\there\n";
	st.m0 = 32; st.m3 = -89; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 849; un.w = 77; self->p = sp;
}

END
{
	@a0[self->t0] = llquantize(g0, 10, 2, 4, 5);
	@a1[stack(3)] = avg(g0);
	@a2[sym((uintptr_t)&`putnext), 0x7fffffffffffffff, stack(3)] = min(g0);
	@a3[g2, sym((uintptr_t)curthread), self->i0] = avg(g0);
	@a4[mod((uintptr_t)&`putnext)] = sum(g0);
}

syscall::write:entry
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	a1[this->u0, (self->i0 ? caller : g2)] = ((self->i0 |= (this->u0, this->j1)) >> (self->a2["tab\there\n"] *= xlate<struct xo>(sp).x1));
	if (speculation()) {
		@a1[stack(3)] = avg(*(int *)(void *)&sp->next);
	} else {
		g2 = ('\\' << ((tid ? 0x3998af1e : self->i1) ^ (-2 >= g0)));
	}
	}

fbt::canputnext:
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->t0 = strtok(((g2--) ? (this->u0 = s0) : toupper(self->t0)), strtok((s0 = stringof(curpsinfo->pr_psargs)), copyinstr((uintptr_t)(void *)&sp->next)));
	this->tst.m3 = self->i1;
	sym((uintptr_t)g2);
	arr[!(0x70558f95) & 3] = 0x54674f86;
	setopt("agghist");
	as[((void *)curthread <= (struct s *)(void *)&sp->bytes[2])] = stringof((char *)(void *)st.next);
	}

fbt::allocb:
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	if (+(BIGGER[3, uregs[0]])) {
		@a4[sym((uintptr_t)caller)] = sum(g2);
	@a0["/usr/bin/../lib//x/"] = llquantize(a1[self->t0, 0x4516a75e], 10, 2, 4, 5, (int64_t)(arg9));
	} else {
		as[0x1f829bfb] = (s0 = "\377\200");
	}
	self->a2[self->t0] = (++st.m4);
	(this->j0 ^= ((--this->j0) | ntohll(g1)));
	this->tst.m0 = (a1[(s1 = s1), (this->j0 - 21)] >>= (--self->a2[TEXT]));
	}

fbt::canputnext:
{
	this->j0 = sizeof(struct s);
	self->t0 = strstr(s1, strjoin(basename(stringof(curpsinfo->pr_psargs)), s1));
	}

