/*
 * pty: the model's terminal against the host's.
 *
 * A case is a terminal's settings and a few steps: bytes typed at the master,
 * bytes a program writes to the slave, reads, changed settings.  It is run twice,
 * through a pseudo-terminal of the host's kernel (host.c) and through ptm, pts,
 * ptem, ldterm and ttcompat (model.c), and what is seen after each step is
 * compared (pty.c): every read(2), what the master gets, the signals.
 *
 * Host and model have headers of the same names with other numbers in them.
 * Therefore a case knows flags and control characters by name only.
 */
#ifndef STRSIM_PTY_CASE_H
#define STRSIM_PTY_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define PTY_FLAGS(X) \
	X(i, ISTRIP) X(i, INLCR) X(i, IGNCR) X(i, ICRNL) X(i, IUCLC) X(i, IXON) X(i, IXANY) X(i, IMAXBEL) \
	X(o, OPOST) X(o, OLCUC) X(o, ONLCR) X(o, OCRNL) X(o, ONOCR) X(o, ONLRET) X(o, XTABS) \
	X(l, ISIG) X(l, ICANON) X(l, ECHO) X(l, ECHOE) X(l, ECHOK) X(l, ECHONL) X(l, NOFLSH) X(l, ECHOCTL) \
	X(l, ECHOPRT) X(l, ECHOKE) X(l, IEXTEN)
#define PTY_CHARS(X) \
	X(VINTR) X(VQUIT) X(VERASE) X(VKILL) X(VEOF) X(VEOL) X(VEOL2) X(VSTART) X(VSTOP) X(VSUSP) X(VREPRINT) \
	X(VDISCARD) X(VWERASE) X(VLNEXT)
/* Ways of being wrong, for showing that a wrong model is found out. */
#define PTY_BREAKS(X) \
	X(icrnl) X(onlcr) X(erase) X(kill) X(echoctl) X(signal) X(noflsh) X(min) X(eof) X(xtabs) X(literal) X(ixany)
/* clang-format on */

#define PTY_BIT(field, name) BIT_##name,
#define PTY_FLAG(field, name) F_##name = 1u << BIT_##name,
#define PTY_CHAR(name) C_##name,
enum { PTY_FLAGS(PTY_BIT) NFLAGS };
enum { PTY_FLAGS(PTY_FLAG) };
enum { PTY_CHARS(PTY_CHAR) NCHARS };

typedef struct ptyset {
	uint32_t flags;
	uint8_t cc[NCHARS]; /* 0: switched off */
	uint8_t min, time;  /* used without ICANON */
} ptyset_t;

/*
 * TYPE and WRITE are one write(2) each.  After each step all that can be read is
 * read, unless the case is timed: then READ steps read, and wait.
 */
enum stepkind { STEP_TYPE, STEP_WRITE, STEP_SET, STEP_READ };

#define MAXBYTES 320
#define MAXSTEPS 96

typedef struct step {
	enum stepkind kind;
	size_t len; /* of READ: bytes asked for */
	uint8_t data[MAXBYTES];
	ptyset_t set;
} step_t;

typedef struct ptycase {
	char name[64];
	const char *known; /* by hand: the known differences that it may show, "" for none ... */
	const char *says;  /* ... and what is seen on Solaris, if it shows any */
	ptyset_t set;
	bool timed;
	size_t rdsize; /* of the reads between steps */
	size_t nsteps;
	step_t steps[MAXSTEPS];
} ptycase_t;

#define SAW_INT 1
#define SAW_QUIT 2
#define SAW_TSTP 4

#define MAXREADS 1024
#define MAXSEEN 4096

/* What is seen after a step. */
typedef struct seen {
	size_t nout;
	uint8_t out[MAXSEEN]; /* at the master */
	size_t nreads, nin;
	uint16_t reads[MAXREADS]; /* bytes of each read(2) ... */
	uint8_t in[MAXSEEN];      /* ... and all of them */
	unsigned signals;         /* SAW_*, to the foreground process group */
	long waited_ms;           /* by a READ step */
} seen_t;

typedef struct result {
	bool asleep; /* it never came to its end */
	size_t nsteps;
	seen_t seen[MAXSTEPS];
} result_t;

/* ---- gen.c ---- */

/* Cases by hand, one for each rule; false when there is none of that number. */
bool case_by_hand(size_t n, ptycase_t *c);
/* A generated case: the same for the same numbers everywhere. */
void case_generate(uint64_t seed, size_t n, ptycase_t *c);
/* The settings that a case by hand begins with. */
void set_default(ptyset_t *set);
/* Add a step with a string's bytes. */
void case_step(ptycase_t *c, enum stepkind kind, const void *data, size_t len);
void case_print(const ptycase_t *c);
void seen_print(const char *who, const result_t *r);
/* The same as one line: what the master got, [reads] and signals, step | step.  The caller frees it. */
char *seen_text(const result_t *r);

/* ---- host.c, model.c ---- */

/* NULL, or why the host gives no pseudo-terminal.  The process must be able to become a session leader. */
const char *host_init(void);
void host_run(const ptycase_t *c, result_t *r);

#define PTY_BREAK(name) BREAK_##name,
enum ptybreak { BREAK_NONE, PTY_BREAKS(PTY_BREAK) NBREAKS };

void model_init(void);
void model_run(const ptycase_t *c, enum ptybreak wrong, result_t *r);
/* Message blocks and memory that the model has lost. */
size_t model_fini(void);

/* ---- known.c ---- */

/*
 * A known difference: when a case may show it, and how to take it away, either
 * from the case or from what was seen.  A difference is explained only if nothing
 * is left of it once that was done.
 */
typedef struct known {
	const char *name, *solaris, *host, *source;
	bool (*applies)(const ptycase_t *c);
	void (*avoid)(ptycase_t *c);            /* or NULL */
	void (*filter)(seen_t *s, bool ofhost); /* or NULL */
	size_t count;                           /* cases that needed it */
} known_t;

extern known_t knowns[];
extern const size_t nknowns;

#endif
