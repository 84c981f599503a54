/*
 * Constants and types that every D program has.
 */
inline long NULL = 0;

inline int DTRACEFLT_UNKNOWN = 0;
inline int DTRACEFLT_BADADDR = 1;
inline int DTRACEFLT_BADALIGN = 2;
inline int DTRACEFLT_ILLOP = 3;
inline int DTRACEFLT_DIVZERO = 4;
inline int DTRACEFLT_NOSCRATCH = 5;
inline int DTRACEFLT_KPRIV = 6;
inline int DTRACEFLT_UPRIV = 7;
inline int DTRACEFLT_TUPOFLOW = 8;
inline int DTRACEFLT_BADSTACK = 9;
inline int DTRACEFLT_LIBRARY = 1000;

/* Hardware types of link_ntop(). */
inline int ARPHRD_ETHER = 1;

/*
 * The model has no locks; programs that ask for their state still name their types.
 */
typedef struct mutex {
	void *_opaque[1];
} kmutex_t;
typedef struct _krwlock {
	void *_opaque[1];
} krwlock_t;

/* Indexes of uregs[]. */
inline int R_GS = 0;
inline int R_FS = 1;
inline int R_ES = 2;
inline int R_DS = 3;
inline int R_RDI = 4;
inline int R_RSI = 5;
inline int R_RDX = 6;
inline int R_RCX = 7;
inline int R_R8 = 8;
inline int R_R9 = 9;
inline int R_RAX = 10;
inline int R_RBX = 11;
inline int R_RBP = 12;
inline int R_R10 = 13;
inline int R_R11 = 14;
inline int R_R12 = 15;
inline int R_R13 = 16;
inline int R_R14 = 17;
inline int R_R15 = 18;
inline int R_TRAPNO = 19;
inline int R_ERR = 20;
inline int R_RIP = 21;
inline int R_CS = 22;
inline int R_RFL = 23;
inline int R_RSP = 24;
inline int R_SS = 25;
inline int R_PC = R_RIP;
inline int R_PS = R_RFL;
inline int R_SP = R_RSP;
inline int R_FP = R_RBP;
inline int R_R0 = R_RAX;
inline int R_R1 = R_RBX;
