#include "scenario/impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consconfig_dacf/consconfig.h"
#include "sys/errno.h"
#include "sys/file.h"
#include "sys/signal.h"
#include "sys/sysproc.h"

/*
 * Processes.  process{} makes one in the kernel at once, so that its number and
 * its place in the table of processes follow the order of the scenario's text;
 * its threads become ready when the whole file has been read, or at once when
 * it is made later.
 */

/* ---- threads ---- */

static int active_threads(const sproc_t *sp)
{
	int n = 0;

	for (const sthread_t *t = sp->sp_threads; t != NULL; t = t->t_next)
		n += !t->t_done;
	return n;
}

static void thread_done(sthread_t *t)
{
	t->t_done = true;
	t->t_L = t->t_cur = NULL;
	t->t_proc->sp_sc->sc_nthreads -= t->t_runs;
	t->t_runs = false;
}

/* First function of a thread: the last one that returns ends the process, as exit(0) would. */
static void thread_body(void *arg)
{
	sthread_t *t = arg;
	bool ok;

	t->t_fiber = fiber_self();
	ok = sc_call(t->t_L, 1);
	thread_done(t);
	luaL_unref(t->t_proc->sp_sc->sc_L, LUA_REGISTRYINDEX, t->t_ref);
	if (ok && active_threads(t->t_proc) == 0)
		(void)user_syscall(SYS_rexit, 0, 0, 0, 0, 0, 0);
}

/* Each has a stack of its own, of which the host gives only so many: some must be left to the kernel's threads. */
#define THREADS_MAX 20000

static bool thread_go(sthread_t *t)
{
	scenario_t *sc = t->t_proc->sp_sc;
	kthread_t *kt = sc->sc_nthreads < THREADS_MAX ? lwp_create(t->t_proc->sp_kproc, thread_body, t) : NULL;

	if (kt == NULL)
		return false;
	kt->t_user = t;
	t->t_runs = true;
	sc->sc_nthreads++;
	return true;
}

/* A thread that runs the function at the top of the stack (which is popped) with p, at index self, as argument. */
static void thread_add(lua_State *L, sproc_t *sp, int self)
{
	sthread_t *t = calloc(1, sizeof(*t)), **tp = &sp->sp_threads;
	lua_State *T;

	if (t == NULL)
		sc_error(L, "out of memory");
	t->t_proc = sp;
	t->t_done = true;
	while (*tp != NULL)
		tp = &(*tp)->t_next;
	*tp = t;
	T = lua_newthread(L);
	lua_insert(L, -2);
	lua_xmove(L, T, 1);
	lua_pushvalue(L, self);
	lua_xmove(L, T, 1);
	t->t_ref = luaL_ref(L, LUA_REGISTRYINDEX);
	t->t_L = t->t_cur = T;
	t->t_done = false;
	if (sp->sp_sc->sc_started && !thread_go(t)) {
		t->t_done = true;
		sc_error(L, "process %d: no memory for a thread", (int)sp->sp_pid);
	}
}

void process_start(scenario_t *sc)
{
	sc->sc_started = true;
	for (sproc_t *sp = sc->sc_procs; sp != NULL; sp = sp->sp_next) {
		for (sthread_t *t = sp->sp_threads; t != NULL; t = t->t_next) {
			if (!t->t_done && !thread_go(t))
				sc_fail(sc, "process %d: no memory for a thread", (int)sp->sp_pid);
		}
	}
}

/* ---- birth ---- */

/* Delivered by the kernel; the thread that leaves the kernel next calls the function for it. */
static void on_signal(proc_t *p, int sig)
{
	sproc_t *sp = p->p_data;

	if (p->p_caught & SIGBIT(sig))
		sp->sp_sigs |= SIGBIT(sig);
}

static pref_t *new_pref(lua_State *L, sproc_t *sp, bool try)
{
	pref_t *pr = lua_newuserdatauv(L, sizeof(*pr), 1);

	pr->pr_proc = sp;
	pr->pr_try = try;
	luaL_setmetatable(L, PROC_META);
	return pr;
}

static sproc_t *proc_arg(lua_State *L, int arg)
{
	return ((pref_t *)luaL_checkudata(L, arg, PROC_META))->pr_proc;
}

static sproc_t *live_arg(lua_State *L, int arg)
{
	sproc_t *sp = proc_arg(L, arg);

	if (sp->sp_gone || sp->sp_kproc->p_exited)
		sc_error(L, "process %d has ended", (int)sp->sp_pid);
	return sp;
}

/* The command: a string, or a list of words. */
static const char *command_field(lua_State *L, int tab)
{
	if (lua_getfield(L, tab, "args") == LUA_TNIL)
		return "scenario";
	if (lua_istable(L, -1)) {
		luaL_Buffer b;
		lua_Integer n = luaL_len(L, -1);
		int words = lua_gettop(L);

		luaL_buffinit(L, &b);
		for (lua_Integer i = 1; i <= n; i++) {
			lua_geti(L, words, i);
			luaL_argcheck(L, lua_isstring(L, -1), 1, "args must be a string or a list of strings");
			luaL_addvalue(&b);
			if (i < n)
				luaL_addchar(&b, ' ');
		}
		luaL_pushresult(&b);
	}
	luaL_argcheck(L, lua_isstring(L, -1), 1, "args must be a string or a list of strings");
	return lua_tostring(L, -1);
}

static lua_Integer int_field(lua_State *L, int tab, const char *name, lua_Integer dflt)
{
	lua_Integer v = dflt;
	int ok = 1;

	if (lua_getfield(L, tab, name) != LUA_TNIL)
		v = lua_tointegerx(L, -1, &ok);
	if (!ok)
		sc_error(L, "process: %s must be a whole number", name);
	lua_pop(L, 1);
	return v;
}

/* Open files under the same numbers, as over fork(2). */
static bool inherit_files(const proc_t *from, proc_t *to)
{
	for (int fd = 0; fd < from->p_nfd; fd++) {
		file_t *fp = from->p_fd[fd];
		int got;

		if (fp == NULL)
			continue;
		if (ufalloc(to, fd, &got) != 0)
			return false;
		FHOLD(fp);
		setf_proc(to, got, fp);
	}
	return true;
}

/* uid and gid, -1 those that it has. */
static void set_cred(proc_t *p, lua_Integer uid, lua_Integer gid)
{
	cred_t *cr;

	if (uid < 0)
		uid = p->p_cred->cr_uid;
	if (gid < 0)
		gid = p->p_cred->cr_gid;
	if ((uid_t)uid == p->p_cred->cr_uid && (gid_t)gid == p->p_cred->cr_gid)
		return;
	cr = crget((uid_t)uid, (gid_t)gid);
	crfree(p->p_cred);
	p->p_cred = cr;
}

static const char *const known_fields[] = {"pid", "args", "uid", "gid", "parent", "run", NULL};

static bool known_field(const char *key, const void *arg)
{
	const char *const *fields = arg;
	int i = 0;

	while (fields[i] != NULL && strcmp(fields[i], key) != 0)
		i++;
	return fields[i] != NULL;
}

static void check_fields(lua_State *L, int tab)
{
	const char *unknown = sc_first_key(L, tab, known_field, known_fields);

	if (unknown != NULL)
		sc_error(L, "process: unknown field %s", unknown);
}

/* A process as the table says; on the stack, p. */
static sproc_t *make_process(lua_State *L, int tab, sproc_t *parent)
{
	scenario_t *sc = sc_of(L);
	lua_Integer pid = int_field(L, tab, "pid", 0), uid = int_field(L, tab, "uid", -1),
		    gid = int_field(L, tab, "gid", -1);
	const char *args = command_field(L, tab);
	sproc_t *sp;
	proc_t *p;

	if (pid < 0 || pid > INT32_MAX || (pid != 0 && prfind((pid_t)pid) != NULL))
		sc_error(L, "process: pid %I is taken or no process number", pid);
	sp = calloc(1, sizeof(*sp));
	p = sp != NULL ? proc_create(parent != NULL ? parent->sp_kproc : NULL, (pid_t)pid, args) : NULL;
	if (p == NULL) {
		free(sp);
		sc_error(L, "process: no memory");
	}
	sp->sp_sc = sc;
	sp->sp_self = sp->sp_handlers = LUA_NOREF;
	*sc->sc_proctail = sp;
	sc->sc_proctail = &sp->sp_next;
	p->p_data = sp;
	p->p_sighandler = on_signal;
	sp->sp_pid = p->p_pid;
	sp->sp_kproc = p;
	sc->sc_live++;
	memcpy(sp->sp_name, p->p_user.u_comm, sizeof(sp->sp_name));
	set_cred(p, uid, gid);
	lua_newtable(L);
	sp->sp_handlers = luaL_ref(L, LUA_REGISTRYINDEX);
	(void)new_pref(L, sp, false);
	lua_pushvalue(L, -1);
	sp->sp_self = luaL_ref(L, LUA_REGISTRYINDEX);
	return sp;
}

static int l_process(lua_State *L)
{
	sproc_t *parent = NULL, *sp;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	check_fields(L, 1);
	if (lua_getfield(L, 1, "parent") != LUA_TNIL)
		parent = live_arg(L, 2);
	if (lua_getfield(L, 1, "run") != LUA_TFUNCTION)
		sc_error(L, "process: run must be a function");
	sp = make_process(L, 1, parent);
	if (parent != NULL && !inherit_files(parent->sp_kproc, sp->sp_kproc))
		sc_error(L, "process: no memory");
	lua_pushvalue(L, 3);
	thread_add(L, sp, lua_gettop(L) - 1);
	return 1;
}

static int m_thread(lua_State *L)
{
	sproc_t *sp = live_arg(L, 1);

	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	thread_add(L, sp, 1);
	return 0;
}

/* ---- death ---- */

static void gone(scenario_t *sc, sproc_t *sp)
{
	sp->sp_gone = true;
	sp->sp_kproc = NULL;
	sc->sc_live--;
	for (sthread_t *t = sp->sp_threads; t != NULL; t = t->t_next) {
		if (!t->t_done)
			luaL_unref(sc->sc_L, LUA_REGISTRYINDEX, t->t_ref);
		thread_done(t);
	}
	luaL_unref(sc->sc_L, LUA_REGISTRYINDEX, sp->sp_handlers);
	luaL_unref(sc->sc_L, LUA_REGISTRYINDEX, sp->sp_self);
}

void process_reap(scenario_t *sc)
{
	sproc_t **spp = &sc->sc_procs, *sp;

	while ((sp = *spp) != NULL) {
		const proc_t *p = prfind(sp->sp_pid);

		if (p != NULL && p->p_data == sp) {
			spp = &sp->sp_next;
			continue;
		}
		gone(sc, sp);
		*spp = sp->sp_next;
		if (*spp == NULL)
			sc->sc_proctail = spp;
		sp->sp_next = sc->sc_ended;
		sc->sc_ended = sp;
	}
}

/* Virtual time that the processes get for closing their files. */
#define END_PATIENCE (60 * NANOS)
/* Each is ended by a thread of the kernel's: so many at the same time. */
#define END_AT_ONCE 1000

static void wake(void *arg)
{
	sthread_t *t = arg;

	fiber_ready(t->t_fiber);
}

void process_end(scenario_t *sc)
{
	hrtime_t limit = machine_now() + END_PATIENCE;
	int n = 0;

	for (sproc_t *sp = sc->sc_procs; sp != NULL; sp = sp->sp_next) {
		if (sp->sp_gone)
			continue;
		proc_exit(sp->sp_kproc);
		for (sthread_t *t = sp->sp_threads; t != NULL; t = t->t_next) {
			if (event_cancel(&t->t_wake) != 0)
				wake(t);
		}
		if (++n % END_AT_ONCE == 0)
			machine_run_ready();
	}
	machine_run_ready();
	process_reap(sc);
	while ((sc->sc_live > 0 || consconfig_busy()) && event_next() <= limit) {
		machine_run(event_next());
		process_reap(sc);
	}
}

static void free_list(sproc_t *sp)
{
	sproc_t *next;

	for (; sp != NULL; sp = next) {
		sthread_t *t;

		next = sp->sp_next;
		while ((t = sp->sp_threads) != NULL) {
			sp->sp_threads = t->t_next;
			(void)event_cancel(&t->t_wake);
			free(t);
		}
		if (!sp->sp_gone) {
			sp->sp_kproc->p_data = NULL;
			sp->sp_kproc->p_sighandler = NULL;
		}
		free(sp);
	}
}

void process_free(scenario_t *sc)
{
	free_list(sc->sc_procs);
	free_list(sc->sc_ended);
	sc->sc_procs = sc->sc_ended = NULL;
}

/* ---- system calls ---- */

#define MAXARGS 8

sthread_t *process_self(lua_State *L)
{
	sproc_t *sp = proc_arg(L, 1);
	sthread_t *t = fiber_self() != NULL ? curthread->t_user : NULL;

	lua_settop(L, MAXARGS); /* arguments that were left out are nil, and what is pushed lies behind */
	if (t == NULL || t->t_proc != sp)
		sc_error(L, "process %d: only its own functions can make its system calls", (int)sp->sp_pid);
	return t;
}

static void run_handlers(lua_State *L, sthread_t *t)
{
	sproc_t *sp = t->t_proc;

	while (sp->sp_sigs != 0) {
		int sig = __builtin_ctzll(sp->sp_sigs);

		sp->sp_sigs &= ~SIGBIT(sig);
		luaL_checkstack(L, 8, NULL);
		lua_rawgeti(L, LUA_REGISTRYINDEX, sp->sp_handlers);
		if (lua_rawgeti(L, -1, sig) == LUA_TFUNCTION) {
			lua_rawgeti(L, LUA_REGISTRYINDEX, sp->sp_self);
			lua_pushstring(L, names_of("SIG", sig));
			lua_call(L, 2, 0);
			lua_pop(L, 1);
		} else {
			lua_pop(L, 2);
		}
	}
}

int64_t process_call(lua_State *L, sthread_t *t, const char *name, int num, const int64_t args[6])
{
	int64_t r;

	if (!sc_step(sc_of(L)) || sc_of(L)->sc_stopped)
		(void)sc_stop(L);
	t->t_call = name;
	t->t_cur = L;
	r = user_syscall(num, args[0], args[1], args[2], args[3], args[4], args[5]);
	t->t_errno = user_errno();
	t->t_call = NULL;
	if (t->t_proc->sp_sigs != 0) {
		int error = t->t_errno;

		run_handlers(L, t);
		t->t_errno = error;
	}
	return r;
}

int process_failed(lua_State *L, const char *name, const char *what, int error)
{
	const pref_t *pr = lua_touserdata(L, 1);
	const char *text = errno_name(error);

	if (pr->pr_try) {
		lua_pushnil(L);
		lua_pushstring(L, text);
		return 2;
	}
	sc_error(L, "%s%s%s: %s", name, what[0] != '\0' ? " " : "", what, text);
}

int process_fdfailed(lua_State *L, const char *name, int64_t fd)
{
	char what[32];
	const sthread_t *t = curthread->t_user;

	snprintf(what, sizeof(what), "%lld", (long long)fd);
	return process_failed(L, name, what, t->t_errno);
}

/* ---- methods about the process itself ---- */

static int failed(lua_State *L, const sthread_t *t, const char *name)
{
	return process_failed(L, name, "", t->t_errno);
}

/* The value of a call that cannot do anything but succeed or fail. */
static int result(lua_State *L, const sthread_t *t, const char *name, int64_t r)
{
	if (r < 0)
		return failed(L, t, name);
	lua_pushinteger(L, r);
	return 1;
}

static int m_exit(lua_State *L)
{
	sthread_t *t = process_self(L);

	return result(L, t, "exit", CALL(L, t, rexit, luaL_optinteger(L, 2, 0)));
}

static int m_getpid(lua_State *L)
{
	sthread_t *t = process_self(L);

	return result(L, t, "getpid", CALL(L, t, getpid, 0));
}

/* Made without a parent, it leads a session of its own already. */
static int m_setsid(lua_State *L)
{
	sthread_t *t = process_self(L);
	const proc_t *p = curproc;

	if (p->p_parent == p0 && p->p_sid == p->p_pid && p->p_ctty == NULL) {
		lua_pushinteger(L, p->p_pid);
		return 1;
	}
	return result(L, t, "setsid", CALL(L, t, pgrpsys, PGRPSYS_SETSID));
}

static int m_getsid(lua_State *L)
{
	sthread_t *t = process_self(L);

	return result(L, t, "getsid", CALL(L, t, pgrpsys, PGRPSYS_GETSID, luaL_optinteger(L, 2, 0)));
}

static int m_setpgrp(lua_State *L)
{
	sthread_t *t = process_self(L);

	return result(L, t, "setpgrp", CALL(L, t, pgrpsys, PGRPSYS_SETPGRP));
}

static int m_getpgrp(lua_State *L)
{
	sthread_t *t = process_self(L);

	return result(L, t, "getpgrp", CALL(L, t, pgrpsys, PGRPSYS_GETPGRP));
}

static int m_setpgid(lua_State *L)
{
	sthread_t *t = process_self(L);
	int64_t r = CALL(L, t, pgrpsys, PGRPSYS_SETPGID, luaL_optinteger(L, 2, 0), luaL_optinteger(L, 3, 0));

	return result(L, t, "setpgid", r);
}

static int m_getpgid(lua_State *L)
{
	sthread_t *t = process_self(L);

	return result(L, t, "getpgid", CALL(L, t, pgrpsys, PGRPSYS_GETPGID, luaL_optinteger(L, 2, 0)));
}

static int m_pause(lua_State *L)
{
	sthread_t *t = process_self(L);

	(void)CALL(L, t, pause, 0);
	return 0;
}

/* struct timespec of a 64-bit program. */
typedef struct timespec64 {
	int64_t sec, nsec;
} timespec64_t;

/* What was left of it when a signal came, else 0. */
static int m_sleep(lua_State *L)
{
	sthread_t *t = process_self(L);
	hrtime_t ns = sc_seconds(L, 2);
	timespec64_t *ts = lua_newuserdatauv(L, 2 * sizeof(*ts), 0);

	ts[0] = (timespec64_t){ns / NANOS, ns % NANOS};
	ts[1] = (timespec64_t){0, 0};
	(void)CALL(L, t, nanosleep, PTR(&ts[0]), PTR(&ts[1]));
	lua_pushnumber(L, (lua_Number)ts[1].sec + (lua_Number)ts[1].nsec / 1e9);
	return 1;
}

/* The program is busy, outside of the kernel. */
static int m_compute(lua_State *L)
{
	sthread_t *t = process_self(L);
	hrtime_t ns = sc_seconds(L, 2);

	if (!sc_step(sc_of(L)))
		(void)sc_stop(L);
	t->t_call = "compute";
	t->t_cur = L;
	event_schedule(&t->t_wake, machine_now() + ns, wake, t);
	fiber_block();
	if (curproc->p_exited)
		thread_exit();
	t->t_call = NULL;
	run_handlers(L, t);
	return 0;
}

static int m_kill(lua_State *L)
{
	sthread_t *t = process_self(L);
	lua_Integer pid = luaL_checkinteger(L, 2);
	int64_t r = CALL(L, t, kill, pid, names_opt(L, 3, "SIG", SIGTERM));

	if (r < 0)
		return process_fdfailed(L, "kill", pid);
	return 0;
}

/* p:signal("SIGINT", f | "ignore" | "default") */
static int m_signal(lua_State *L)
{
	static const char *const words[] = {"default", "ignore", NULL};
	sthread_t *t = process_self(L);
	int64_t sig = names_arg(L, 2, "SIG");
	ksigaction_t act = {KSIG_CATCH};

	if (!lua_isfunction(L, 3))
		act.ksa_disp = luaL_checkoption(L, 3, NULL, words) == 0 ? KSIG_DFL : KSIG_IGN;
	lua_settop(L, 3);
	if (CALL(L, t, sigaction, sig, PTR(&act)) < 0)
		return process_failed(L, "signal", luaL_tolstring(L, 2, NULL), t->t_errno);
	lua_rawgeti(L, LUA_REGISTRYINDEX, t->t_proc->sp_handlers);
	if (act.ksa_disp == KSIG_CATCH)
		lua_pushvalue(L, 3);
	else
		lua_pushnil(L);
	lua_rawseti(L, -2, sig);
	return 0;
}

static int m_alive(lua_State *L)
{
	const sproc_t *sp = proc_arg(L, 1);

	lua_pushboolean(L, !sp->sp_gone && !sp->sp_kproc->p_exited);
	return 1;
}

static const luaL_Reg methods[] = {
    {"thread", m_thread},   {"exit", m_exit},       {"getpid", m_getpid},   {"setsid", m_setsid},
    {"getsid", m_getsid},   {"setpgrp", m_setpgrp}, {"getpgrp", m_getpgrp}, {"setpgid", m_setpgid},
    {"getpgid", m_getpgid}, {"pause", m_pause},     {"sleep", m_sleep},     {"compute", m_compute},
    {"kill", m_kill},       {"signal", m_signal},   {"alive", m_alive},     {NULL, NULL}};

/* ---- who waits where ---- */

void process_waits(scenario_t *sc, char *buf, size_t len)
{
	char where[128];
	size_t used = 0;

	buf[0] = '\0';
	for (const sproc_t *sp = sc->sc_procs; sp != NULL; sp = sp->sp_next) {
		for (const sthread_t *t = sp->sp_threads; t != NULL; t = t->t_next) {
			int n;

			if (t->t_done || sp->sp_gone)
				continue;
			sc_where(t->t_cur, where, sizeof(where));
			n = snprintf(buf + used, len - used, "%s process %d (%s) %s%s%s%s", used == 0 ? ":" : ",",
				     (int)sp->sp_pid, sp->sp_name, t->t_call != NULL ? "is in " : "runs",
				     t->t_call != NULL ? t->t_call : "", where[0] != '\0' ? " at " : "", where);
			if (n < 0 || (size_t)n >= len - used)
				return;
			used += (size_t)n;
		}
	}
}

/* ---- p in Lua ---- */

/* p.try, p.pid and so on, methods, and whatever the scenario keeps there. */
static int pref_index(lua_State *L)
{
	const pref_t *pr = luaL_checkudata(L, 1, PROC_META);
	const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";

	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	if (strcmp(key, "pid") == 0) {
		lua_pushinteger(L, pr->pr_proc->sp_pid);
	} else if (strcmp(key, "name") == 0) {
		lua_pushstring(L, pr->pr_proc->sp_name);
	} else if (strcmp(key, "try") == 0) {
		(void)new_pref(L, pr->pr_proc, true);
	} else if (lua_getiuservalue(L, 1, 1) == LUA_TTABLE) {
		lua_pushvalue(L, 2);
		lua_rawget(L, -2);
	}
	return 1;
}

static int pref_newindex(lua_State *L)
{
	(void)luaL_checkudata(L, 1, PROC_META);
	if (lua_getiuservalue(L, 1, 1) != LUA_TTABLE) {
		lua_newtable(L);
		lua_pushvalue(L, -1);
		lua_setiuservalue(L, 1, 1);
		lua_replace(L, -2);
	}
	lua_pushvalue(L, 2);
	lua_pushvalue(L, 3);
	lua_rawset(L, -3);
	return 0;
}

static int pref_tostring(lua_State *L)
{
	const sproc_t *sp = proc_arg(L, 1);

	lua_pushfstring(L, "process %d (%s)", (int)sp->sp_pid, sp->sp_name);
	return 1;
}

void process_methods(lua_State *L, const luaL_Reg *more)
{
	lua_getfield(L, LUA_REGISTRYINDEX, "process methods");
	luaL_setfuncs(L, more, 0);
	lua_pop(L, 1);
}

void process_open(lua_State *L)
{
	lua_newtable(L);
	luaL_setfuncs(L, methods, 0);
	lua_pushvalue(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, "process methods");
	luaL_newmetatable(L, PROC_META);
	lua_insert(L, -2);
	lua_pushcclosure(L, pref_index, 1);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, pref_newindex);
	lua_setfield(L, -2, "__newindex");
	lua_pushcfunction(L, pref_tostring);
	lua_setfield(L, -2, "__tostring");
	lua_pushliteral(L, "process");
	lua_setfield(L, -2, "__metatable");
	lua_pop(L, 1);
	lua_register(L, "process", l_process);
}
