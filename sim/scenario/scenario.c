#include "scenario/impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace.h"
#include "sys/strbusy.h"

/*
 * The workload.  The file is read before anything happens, and only declares;
 * then interfaces are plumbed and the processes become ready.  After that the
 * machine runs from one moment at which something is due to the next, and at
 * each the end is looked for: everything has ended, or nothing can happen any
 * more although processes wait, or a limit is passed.
 */

#define DEFAULT_TIME (3600 * NANOS)
#define DEFAULT_STEPS 20000000
#define MEMORY_MAX ((size_t)256 << 20)
/* Instructions without a system call or return to the machine, and how often they are counted. */
#define BUSY_MAX 100000000
#define BUSY_UNIT 10000
/* Stack that must be left to a function that Lua calls: for C functions of its library, the kernel and the tracer. */
#define STACK_RESERVE (96 * 1024)

/* ---- Lua's needs ---- */

static void *allocate(void *ud, void *ptr, size_t osize, size_t nsize)
{
	scenario_t *sc = ud;
	size_t old = ptr != NULL ? osize : 0;
	void *p;

	if (nsize == 0) {
		free(ptr);
		sc->sc_memory -= old;
		return NULL;
	}
	if (nsize > old && sc->sc_memory + (nsize - old) > MEMORY_MAX)
		return NULL;
	p = realloc(ptr, nsize);
	if (p != NULL)
		sc->sc_memory += nsize - old;
	return p;
}

void *sc_alloc(scenario_t *sc, size_t size)
{
	void *p = sc->sc_memory + size <= MEMORY_MAX ? calloc(1, size) : NULL;

	if (p != NULL)
		sc->sc_memory += size;
	return p;
}

void sc_free(scenario_t *sc, void *p, size_t size)
{
	sc->sc_memory -= size;
	free(p);
}

void sc_check_busy(lua_State *L)
{
	scenario_t *sc = sc_of(L);

	if (sc->sc_busy <= BUSY_MAX && workload_interrupts == 0)
		return;
	sc->sc_doomed = true;
	if (workload_interrupts != 0)
		sc_error(L, "interrupted");
	sc_error(L, "runs without end: %I instructions without a system call", (lua_Integer)BUSY_MAX);
}

/* Called at every call, and after so many instructions. */
static void watch(lua_State *L, lua_Debug *ar)
{
	scenario_t *sc = sc_of(L);

	if (ar->event != LUA_HOOKCOUNT) {
		if (machine_stack_left() < STACK_RESERVE)
			sc_error(L, "C stack overflow");
		return;
	}
	sc->sc_busy += BUSY_UNIT;
	sc_check_busy(L);
}

static int open_all(lua_State *L)
{
	sandbox_open(L);
	bounds_open(L);
	timer_open(L);
	process_open(L);
	calls_open(L);
	ioctl_open(L);
	sock_open(L);
	wire_open(L);
	host_open(L);
	input_open(L);
	lib_open(L);
	return 0;
}

static int make_lua(scenario_t *sc)
{
	lua_State *L = lua_newstate(allocate, sc);

	if (L == NULL)
		return -1;
	sc->sc_L = L;
	*(scenario_t **)lua_getextraspace(L) = sc;
	lua_sethook(L, watch, LUA_MASKCALL | LUA_MASKCOUNT, BUSY_UNIT);
	lua_pushcfunction(L, open_all);
	return sc_call(L, 0) ? 0 : -1;
}

/* ---- set-up ---- */

/* Protected: the scenario's arguments, and its own file, whose function stays on the stack. */
static int read_main(lua_State *L)
{
	const scenario_t *sc = sc_of(L);

	lua_createtable(L, sc->sc_nargs, 1);
	for (int i = 0; i < sc->sc_nargs; i++) {
		lua_pushstring(L, sc->sc_args[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_pushstring(L, sc->sc_file);
	lua_rawseti(L, -2, 0);
	lua_setglobal(L, "arg");
	return sandbox_load(L, sc->sc_file) ? 1 : lua_error(L);
}

/* Run the scenario's own file. */
static int main_chunk(scenario_t *sc)
{
	lua_State *L = sc->sc_L;
	int status;

	lua_pushcfunction(L, read_main);
	status = lua_pcall(L, 0, 1, 0);
	if (status != LUA_OK) {
		sc_fail(sc, "%s%s", status == LUA_ERRMEM ? "the scenario is too long: " : "", lua_tostring(L, -1));
		lua_pop(L, 1);
		return -1;
	}
	return sc_call(L, 0) || sc->sc_stopped ? 0 : -1;
}

static void let_go(scenario_t *sc)
{
	sc->sc_stopped = true;
	process_end(sc);
	host_close(sc);
	timer_close(sc);
	wire_close(sc);
	if (sc->sc_L != NULL)
		lua_close(sc->sc_L);
	process_free(sc);
	sc->sc_L = NULL;
}

static void destroy(workload_t *w)
{
	scenario_t *sc = w->w_data;

	free(sc->sc_dir);
	free(sc->sc_error);
	free(sc);
	free(w);
}

static int setup(workload_t *w, char *err, size_t errlen)
{
	scenario_t *sc = w->w_data;

	sc->sc_dtrace = w->w_dtrace;
	if (make_lua(sc) == 0 && main_chunk(sc) == 0 && (sc->sc_stopped || host_start(sc) == 0) &&
	    sc->sc_error == NULL) {
		process_start(sc);
		if (sc->sc_error == NULL)
			return 0;
	}
	snprintf(err, errlen, "%s", sc->sc_error != NULL ? sc->sc_error : "out of memory");
	let_go(sc);
	destroy(w);
	return -1;
}

/* ---- running ---- */

static bool over(const scenario_t *sc)
{
	return sc->sc_live == 0 && sc->sc_timers == NULL && !wire_busy(sc) && !host_busy(sc);
}

static void say_limit(scenario_t *sc)
{
	char waits[512];

	process_waits(sc, waits, sizeof(waits));
	sc_fail(sc, "%s: not finished after %g s of virtual time, the limit%s", sc->sc_file,
		(double)sc->sc_opts.time / 1e9, waits);
}

static void say_deadlock(scenario_t *sc)
{
	char waits[512];

	process_waits(sc, waits, sizeof(waits));
	sc_fail(sc, "%s: nothing will ever happen again%s", sc->sc_file, waits);
}

static void say_busy(scenario_t *sc)
{
	char waits[512];

	process_waits(sc, waits, sizeof(waits));
	sc_fail(sc, "%s: streams keep each other busy without end, %s among them%s", sc->sc_file, str_busy_module(),
		waits);
}

/* The moment at which something is due next. */
static hrtime_t next_moment(scenario_t *sc)
{
	return MIN(event_next(), host_next(sc));
}

static int run(workload_t *w, hrtime_t until)
{
	scenario_t *sc = w->w_data;

	for (;;) {
		hrtime_t next;

		sc_progress(sc);
		if (!sc->sc_stopped)
			machine_run_ready();
		process_reap(sc);
		if (str_busy_module() != NULL && !sc->sc_stopped)
			say_busy(sc);
		if (sc->sc_stopped || over(sc))
			return sc->sc_error != NULL ? -1 : 1;
		if (workload_interrupts != 0)
			return 0;
		next = next_moment(sc);
		if (next == INT64_MAX)
			say_deadlock(sc);
		else if (next > sc->sc_opts.time && until >= sc->sc_opts.time)
			say_limit(sc);
		else if (next > until) {
			machine_run(until);
			return 0;
		} else
			host_run(sc, next);
	}
}

static hrtime_t next_time(workload_t *w)
{
	return MIN(host_next(w->w_data), ((scenario_t *)w->w_data)->sc_opts.time);
}

static int finish(workload_t *w)
{
	scenario_t *sc = w->w_data;
	int status;

	let_go(sc);
	if (sc->sc_error != NULL)
		fprintf(stderr, "strsim: %s\n", sc->sc_error);
	status = sc->sc_status;
	destroy(w);
	return status;
}

/* ---- making one ---- */

workload_t *scenario_create(const char *file, int nargs, char **args, const scenario_opts_t *opts)
{
	workload_t *w = calloc(1, sizeof(*w));
	scenario_t *sc = calloc(1, sizeof(*sc));
	const char *slash = strrchr(file, '/');

	if (sc != NULL)
		sc->sc_dir = slash != NULL ? strndup(file, (size_t)(slash - file) + 1) : strdup("");
	if (w == NULL || sc == NULL || sc->sc_dir == NULL) {
		free(w);
		free(sc);
		return NULL;
	}
	sc->sc_file = file;
	sc->sc_nargs = nargs;
	sc->sc_args = args;
	sc->sc_opts = *opts;
	sc->sc_opts.time = opts->time != 0 ? opts->time : DEFAULT_TIME;
	sc->sc_opts.steps = opts->steps != 0 ? opts->steps : DEFAULT_STEPS;
	sc->sc_proctail = &sc->sc_procs;
	w->w_name = "scenario";
	w->w_setup = setup;
	w->w_run = run;
	w->w_next = next_time;
	w->w_finish = finish;
	w->w_data = sc;
	return w;
}
