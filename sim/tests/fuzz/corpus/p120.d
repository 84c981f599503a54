#pragma D option dynvarsize=1k
#pragma D option amin=Internal/Internal/Unknown
typedef long myint;
enum color { RED, GREEN = 102, LIMIT };
struct in { uint64_t n0; int8_t n1; };
struct s { long m0; int8_t m1; unsigned char m2; int m3; int m4:30; int m5:17; int m6:21; char bytes[8]; struct in in; struct s *next; string name; };
union u { unsigned short w; char c[12]; struct in in; };
struct xo { int x0; int8_t x1; };
translator struct xo < struct s *q > {
	x0 = q->m0 + 1;
	x1 = q == NULL ? 0 : pid;
};
long g0; unsigned char g1; long long g2; self char i0; this long j0; self unsigned char i1; this long j1; 
string s0, s1; self string t0; this string u0;
char a0[int]; long long a1[string, int]; self uint64_t a2[string];
string as[int]; self string ss[string]; struct s asp[int];
struct s st; this struct s tst; union u un; struct s *sp; self struct s *p; self void *q;
short arr[4]; this unsigned short tarr[4]; self int sp;
inline long long SQUARE[uint32_t x] = x * x;
inline int BIGGER[int x, int y] = x > y ? x : y;
inline string TEXT = "a";
BEGIN
{
	g0 = 128; g1 = 0x3c2333a9; g2 = '\377'; s0 = "{\"a\":[1,{\"b\":\"x\"}],\"c\":null}"; s1 = "oct\101hex\x41";
	st.m0 = 89; st.m3 = -24; st.bytes[0] = 'x'; st.name = "me"; sp = (struct s *)alloca(sizeof(struct s));
	arr[1] = 962; un.w = 77; self->p = sp;
}

END
{
	@a0[s0, sym((uintptr_t)caller), cpu] = count();
	@a1[0x62cf5c11, LIMIT, root] = llquantize(g0, 10, 0, 6, 20);
	@a2 = sum(g0);
	@a3["a", g2] = quantize(g0);
	@a4[mod((uintptr_t)caller), stack(3), sym((uintptr_t)&`putnext)] = avg(g0);
}

tick-100ms
{
	trunc(@a3);
	}

ERROR, tick-300ms
{
	@a0[self->t0, sym((uintptr_t)&`putnext), (('\0' || 'ab') <= (--this->j0))] = count();
	self->a2[strtok(NULL, s0)] = ((self->i0 && (ushort_t)(0755)) ? ntohll(-1) : ((RED + g0) == g2));
	self->a2[self->t0] = (enum color)(((NULL << 128) != st.bytes[self->i1 & 7]));
	sym((uintptr_t)(++this->j0));
	}

