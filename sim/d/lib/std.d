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
