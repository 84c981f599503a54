/*
 * Inside scenarios.
 *
 *	scenario.c	the workload: reading the file, running, limits, the end
 *	sandbox.c	what of Lua a scenario gets, and the small general functions
 *	bounds.c	what it cannot escape: the limits
 *	error.c		where something went wrong, and saying it
 *	timer.c		at, after, every
 *	process.c	processes and their threads, signals
 *	calls.c		system calls on files and streams
 *	ioctl.c		ioctl by name; terminal settings
 *	sock.c		system calls on sockets
 *	names.c		O_RDWR and all the others
 *	wire.c		frames in and out
 *	host.c		interfaces, routes, addresses of stations, captures
 *	input.c		keyboard and mouse
 *	lib/		the part that is written in Lua
 *
 * Theory.  There is one Lua state.  The file itself and everything that timers
 * call run on its main thread, on the host's stack, between two things that the
 * machine does.  Every thread of a process is a Lua thread (lua_newthread) that
 * runs on the stack of its fiber: a system call that sleeps in there simply
 * leaves the fiber, and other fibers run other Lua threads meanwhile.  Lua
 * permits that, since a switch happens only inside a C function.
 *
 * A process may end inside a system call, which then never returns: what its
 * stack held is forgotten, so C code here keeps nothing across a system call
 * that only it could free; buffers are Lua's own, and go when the Lua thread is
 * collected.
 */
#ifndef STRSIM_SCENARIO_IMPL_H
#define STRSIM_SCENARIO_IMPL_H

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

#include "scenario/scenario.h"

#include "machine/machine.h"
#include "sys/thread.h"

#define PROC_META "process"
#define NANOS 1000000000LL

struct sproc;
struct wirelog;

/* A thread of a process. */
typedef struct sthread {
	struct sproc *t_proc;
	lua_State *t_L;     /* its Lua thread */
	lua_State *t_cur;   /* the one that makes a system call: t_L or a coroutine of it */
	int t_ref;          /* keeps t_L */
	const char *t_call; /* the call it is in, NULL when none */
	int t_errno;        /* of its last call */
	fiber_t *t_fiber;
	mevent_t t_wake; /* of p:compute() */
	bool t_done, t_runs;
	struct sthread *t_next; /* of the process */
} sthread_t;

typedef struct sproc {
	struct scenario *sp_sc;
	pid_t sp_pid;
	proc_t *sp_kproc; /* while it lives */
	char sp_name[MAXCOMLEN + 1];
	bool sp_gone;
	sthread_t *sp_threads;
	uint64_t sp_sigs;      /* delivered, their Lua functions not called yet */
	int sp_self;           /* keeps p */
	int sp_handlers;       /* table: number of a signal -> function */
	struct sproc *sp_next; /* of those that live, in the order in which they were made; or of those gone */
} sproc_t;

/* What p is in Lua, and p.try. */
typedef struct pref {
	sproc_t *pr_proc;
	bool pr_try;
} pref_t;

/* Something to be called at a time. */
typedef struct stimer {
	struct scenario *st_sc;
	uint64_t st_id;
	mevent_t st_ev;
	hrtime_t st_period; /* 0: once */
	int64_t st_left;    /* times, -1: for ever */
	int st_ref;         /* the function */
	char st_origin[64]; /* where the scenario made it */
	struct stimer *st_next, **st_prevp;
} stimer_t;

typedef struct scenario {
	const char *sc_file;
	int sc_nargs;
	char **sc_args;
	scenario_opts_t sc_opts;
	char *sc_dir; /* of the file, with its '/', or "" */
	lua_State *sc_L;
	struct dtrace_state *sc_dtrace;
	size_t sc_memory;                 /* bytes that Lua has */
	bool sc_nomemory;                 /* it wanted more than it may have */
	bool sc_doomed;                   /* an error that nothing may catch ends it */
	uint64_t sc_steps;                /* against sc_opts */
	uint64_t sc_busy;                 /* instructions since the last step */
	char sc_origin[64];               /* where that was made which runs now on the main thread */
	sproc_t *sc_procs, **sc_proctail; /* not known to be gone */
	sproc_t *sc_ended;
	int sc_live;     /* processes not gone */
	int sc_nthreads; /* of processes, not done */
	bool sc_started;
	stimer_t *sc_timers; /* scheduled */
	uint64_t sc_lasttimer;
	struct swire *sc_wire;
	struct shost *sc_host;
	char *sc_error; /* the first thing that went wrong */
	bool sc_stopped;
	int sc_status;
} scenario_t;

ALWAYS_INLINE scenario_t *sc_of(lua_State *L)
{
	return *(scenario_t **)lua_getextraspace(L);
}

/* ---- error.c ---- */

/* "FILE:LINE" of the innermost line of the scenario that L is in, "" when there is none. */
void sc_where(lua_State *L, char *buf, size_t len);
/* Raise an error that names the scenario's line; the format is lua_pushfstring's. */
_Noreturn void sc_error(lua_State *L, const char *fmt, ...);
/* lua_pcall with a handler that gives messages a place; on failure the scenario fails and it returns false. */
bool sc_call(lua_State *L, int nargs);
/* The message of an error at the top of the stack, with its place. */
int sc_traceback(lua_State *L);
/* The scenario fails, unless it did before, and the machine stops. */
void sc_fail(scenario_t *sc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Another step is about to be made: false when that is one too many, and then the scenario failed. */
bool sc_step(scenario_t *sc);
/* Something happened that shows that the streams do not only keep each other busy. */
void sc_progress(const scenario_t *sc);
/* End the run from where we are; from a process it does not return. */
int sc_stop(lua_State *L);

/* ---- sandbox.c ---- */

/* Make the Lua state's environment. */
void sandbox_open(lua_State *L);
/* A file of the scenario's, text: on the stack a function, or an error message and false. */
bool sandbox_load(lua_State *L, const char *name);
/* Is there such a file below the folder ("": the current one)? */
bool sandbox_below(const char *file, const char *folder);
/* The first key, in the order of texts, of the table that known() does not know ("?": one that is no string); or NULL. */
const char *sc_first_key(lua_State *L, int tab, bool (*known)(const char *key, const void *arg), const void *arg);
/* Memory of our own that counts as the scenario's: zeroed, NULL when it would be too much; and its end. */
void *sc_alloc(scenario_t *sc, size_t size);
void sc_free(scenario_t *sc, void *p, size_t size);
/* Seconds as a number (argument) to nanoseconds; an argument error when there is no such time. */
hrtime_t sc_seconds(lua_State *L, int arg);

/* ---- bounds.c ---- */

/* Replace what of the library could catch an error that ends the run, or work without an end. */
void bounds_open(lua_State *L);
/* An error that nothing catches when there have been too many instructions since the last step, or an interrupt. */
void sc_check_busy(lua_State *L);

/* ---- names.c ---- */

/*
 * An argument made of names: a number, "O_RDWR|O_NONBLOCK", "POLLIN POLLPRI", or { "O_RDWR", "O_NONBLOCK" }.  prefixes is
 * a list with blanks between, of which each name must begin with one.
 */
int64_t names_arg(lua_State *L, int arg, const char *prefixes);
int64_t names_opt(lua_State *L, int arg, const char *prefixes, int64_t dflt);
/* The same of one word; false when it is not known. */
bool names_lookup(const char *word, size_t len, const char *prefixes, int64_t *value);
/* The name with this prefix of a value, or NULL. */
const char *names_of(const char *prefix, int64_t value);
/* A table { NAME = true } of the single bits of a value that have names with this prefix. */
void names_push_bits(lua_State *L, const char *prefix, int64_t value);
const char *errno_name(int error);

/* ---- timer.c ---- */

void timer_open(lua_State *L);
void timer_close(scenario_t *sc);

/* ---- process.c ---- */

void process_open(lua_State *L);
/* Let all that were declared begin to run. */
void process_start(scenario_t *sc);
/* Take note of processes that are gone. */
void process_reap(scenario_t *sc);
/* All processes end. */
void process_end(scenario_t *sc);
void process_free(scenario_t *sc);
/* Who waits where, into buf, for a message. */
void process_waits(scenario_t *sc, char *buf, size_t len);
/* The thread that calls a method; an error when it is none of p's (argument 1). */
sthread_t *process_self(lua_State *L);
/*
 * A system call of that thread: its value, or -1 with user_errno().  Signals that came meanwhile have been handled.
 */
int64_t process_call(lua_State *L, sthread_t *t, const char *name, int num, const int64_t args[6]);
#define CALL(L, t, name, ...) process_call(L, t, #name, SYS_##name, (const int64_t[6]){__VA_ARGS__})
#define PTR(p) ((int64_t)(intptr_t)(p))
/* The method failed: raise "CALL WHAT: ERRNO", or with p.try return nil and the error's name. */
int process_failed(lua_State *L, const char *name, const char *what, int error);
/* The same of a descriptor. */
int process_fdfailed(lua_State *L, const char *name, int64_t fd);
/* More methods of processes. */
void process_methods(lua_State *L, const luaL_Reg *methods);

/* ---- the rest ---- */

void calls_open(lua_State *L);
void ioctl_open(lua_State *L);
void sock_open(lua_State *L);
/* An IPv4 address in network byte order, of its text and as text. */
uint32_t sc_ipaddr(lua_State *L, const char *text);
void sc_push_ipaddr(lua_State *L, uint32_t addr);
void wire_open(lua_State *L);
/* --wire: 0, or -1 and the scenario failed.  log: one that the replay writes already, or NULL. */
int wire_start(scenario_t *sc, struct wirelog *log);
void wire_close(scenario_t *sc);
/* Frames that wait for the scenario to see them. */
bool wire_busy(const scenario_t *sc);
void host_open(lua_State *L);
/* What was declared is done: 0, or -1 and the scenario failed. */
int host_start(scenario_t *sc);
void host_close(scenario_t *sc);
/* Captures that are being replayed: when the next frame is due, INT64_MAX when none. */
hrtime_t host_next(scenario_t *sc);
/* Play until then, with everything else that happens. */
void host_run(scenario_t *sc, hrtime_t until);
bool host_busy(const scenario_t *sc);
void input_open(lua_State *L);
/* The part in Lua. */
void lib_open(lua_State *L);

#endif
