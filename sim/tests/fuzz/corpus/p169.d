#pragma D option flowindent
#pragma D option zdefs
typedef char myint;
enum color { RED = -3, GREEN = -38, LIMIT };
struct in { long n0; int8_t n1; };
struct s { long long m0; short m1; int m2:4; long long m3; int m4:10; int m5; int m6:27; char bytes[8]; struct in in; struct s *next; string name; };
union u { int w; char c[12]; struct in in; };
struct xo { int x0; short x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : (int)strlen(q->name);
};
short g0; unsigned short g1; unsigned g2; self int i0; this short j0; self long long i1; this uint32_t j1; 
string s0, s1; self string t0; this string u0;
long a0[int]; int a1[string, int]; self short a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
int arr[4]; this unsigned tarr[4]; self int sp;
inline uint64_t SQUARE[uint64_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "a,b;c d";
BEGIN
{
	g0 = '\\'; g1 = 884; g2 = 0x5a505015; s0 = "hello world"; s1 = "";
	st.m0 = 92; st.m3 = -16; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 479; un.w = 77; self->p = sp;
}

END
{
	@a0[31, this->u0] = lquantize(g0, -26, 30, 1);
	@a1[epid, stack(3)] = lquantize(g0, -10, 99, 22);
	@a2[sym((uintptr_t)arg0)] = llquantize(g0, 2, 0, 6, 2);
	@a3 = count();
	@a4[sym((uintptr_t)curthread), mod((uintptr_t)&`putnext)] = lquantize(g0, 13, 74, 46);
}

tick-300ms, tick-1ms
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a4[sym((uintptr_t)caller), sym((uintptr_t)curthread)] = lquantize((g0 << !(this->j1)), 13, 74, 46);
	printf("= %+.2a, % Sx%+d[", (uintptr_t)((++this->tarr[uid & 3])), substr((s1 = self->t0), (pid == ustackdepth)), (st.bytes[(-32768 / '\n') & 7]));
	st.m5 = (LIMIT != (("12345678901234567890" != s1) ^ (g1--)));
	if ((a1["abc", this->j1]++)) {
		trace(arr);
	}
	}

ERROR
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	self->sp = speculation();
	if ((~(4294967295) & rindex("/usr/bin/../lib//x/", cwd))) {
		trace((self->i1++));
	@a0[(++this->tst.m1), stringof((char *)(void *)((char *)(void *)sp->next + 'ab'))] = lquantize((-(256) + (int64_t)('\377')), -26, 30, 1);
	} else {
		ustack(3);
	}
	}

syscall:::entry, END
/ ~(uid) /
{
	sp = (struct s *)alloca(sizeof(struct s)); sp->next = sp; sp->m1 = id;
	@a4[sym((uintptr_t)arg0), sym((uintptr_t)arg0)] = lquantize((self->t0 == (self->t0 = probeprov)), 13, 74, 46);
	}

END, tick-1ms
{
	bcopy((void *)((char *)(void *)&`putnext - 2147483648), alloca(17), 3);
	if ((((void *)sp->next <= (struct s *)(void *)st.next) >> (vtimestamp ? 403 : 0x7fffffffffffffff))) {
		(g0 /= (this->j0++));
	}
	this->tst.m2 = (((vtimestamp ^^ 567) ? xlate<struct xo>(sp).x1 : (enum color)(this->j0)) & ((0x7d2b78ea ? 0x51b964d : this->j0) < (s1 >= s0)));
	@a1[(this->j1 += (0x1fd8d16f ? 32768 : -1)), ustack(2)] = lquantize(g2, -10, 99, 22);
	}

