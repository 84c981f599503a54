#include "scenario/impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/strbusy.h"

/* Service procedures between two steps or moments at which something is due. */
#define SERVICES_MAX 20000

/*
 * Errors.  A message names a line of the scenario's own files; the library in
 * Lua is not such a file, so its frames are passed over, as C functions are.
 */

void sc_where(lua_State *L, char *buf, size_t len)
{
	lua_Debug ar;

	buf[0] = '\0';
	for (int level = 0; lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		if (ar.source[0] == '@' && ar.currentline > 0) {
			snprintf(buf, len, "%s:%d", ar.short_src, ar.currentline);
			return;
		}
	}
}

/* The same; in a function that the machine calls, which no line of the scenario called, the line that asked for it. */
static void where_or_origin(lua_State *L, char *buf, size_t len)
{
	const scenario_t *sc = sc_of(L);

	sc_where(L, buf, len);
	if (buf[0] == '\0' && fiber_self() == NULL)
		snprintf(buf, len, "%s", sc->sc_origin);
	if (buf[0] == '\0')
		snprintf(buf, len, "%s", sc->sc_file);
}

void sc_error(lua_State *L, const char *fmt, ...)
{
	char where[128];
	va_list ap;

	where_or_origin(L, where, sizeof(where));
	lua_pushfstring(L, "%s: ", where);
	va_start(ap, fmt);
	lua_pushvfstring(L, fmt, ap);
	va_end(ap);
	lua_concat(L, 2);
	lua_error(L);
	abort(); /* lua_error() does not return */
}

/* Does the message begin with a place "FILE:LINE:" already?  Places in the library, "[lib]:LINE:", do not count. */
static bool placed(const char *msg)
{
	const char *colon = strchr(msg, ':');

	if (msg[0] == '[' || colon == NULL)
		return false;
	return colon[1] >= '0' && colon[1] <= '9' && strchr(colon + 1, ':') != NULL;
}

int sc_traceback(lua_State *L)
{
	const char *msg = lua_tostring(L, -1);
	char where[128];

	if (msg == NULL) {
		/* without a text of its own it would be an address */
		if (lua_isnoneornil(L, -1) || luaL_getmetafield(L, -1, "__tostring") != LUA_TNIL) {
			lua_settop(L, 1);
			msg = luaL_tolstring(L, 1, NULL);
		} else {
			msg = lua_pushfstring(L, "the error is a %s", luaL_typename(L, -1));
		}
	}
	if (placed(msg)) {
		lua_pushstring(L, msg);
		return 1;
	}
	where_or_origin(L, where, sizeof(where));
	lua_pushfstring(L, "%s: %s", where, msg);
	return 1;
}

bool sc_call(lua_State *L, int nargs)
{
	int base = lua_gettop(L) - nargs, status;

	lua_pushcfunction(L, sc_traceback);
	lua_insert(L, base);
	status = lua_pcall(L, nargs, 0, base);
	if (status != LUA_OK && !sc_of(L)->sc_stopped) {
		const char *msg = lua_tostring(L, -1);

		if (status == LUA_ERRMEM || sc_of(L)->sc_nomemory)
			sc_fail(sc_of(L), "%s: the scenario wants more memory than it may have", sc_of(L)->sc_file);
		else
			sc_fail(sc_of(L), "%s", msg != NULL ? msg : "error");
	}
	lua_settop(L, base - 1);
	return status == LUA_OK;
}

void sc_fail(scenario_t *sc, const char *fmt, ...)
{
	va_list ap;

	if (sc->sc_error == NULL) {
		va_start(ap, fmt);
		if (vasprintf(&sc->sc_error, fmt, ap) < 0)
			sc->sc_error = NULL;
		va_end(ap);
	}
	sc->sc_status = 1;
	sc->sc_stopped = true;
	machine_stop();
}

void sc_progress(const scenario_t *sc)
{
	if (!sc->sc_stopped)
		str_allow_services(SERVICES_MAX);
}

bool sc_step(scenario_t *sc)
{
	char waits[512];

	sc->sc_busy = 0;
	sc_progress(sc);
	if (++sc->sc_steps <= sc->sc_opts.steps)
		return true;
	if (sc->sc_error == NULL) {
		process_waits(sc, waits, sizeof(waits));
		sc_fail(sc, "%s: not finished after %llu steps, the limit%s", sc->sc_file,
			(unsigned long long)sc->sc_opts.steps, waits);
	}
	return false;
}

int sc_stop(lua_State *L)
{
	scenario_t *sc = sc_of(L);

	sc->sc_stopped = true;
	machine_stop();
	if (fiber_self() != NULL && curthread->t_lwp != NULL) {
		proc_exit(curproc);
		thread_exit();
	}
	lua_pushnil(L);
	return lua_error(L);
}
