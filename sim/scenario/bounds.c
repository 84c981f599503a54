#include "scenario/impl.h"

/*
 * What a scenario cannot escape.  When a run must end (no memory is left, it runs
 * without end, somebody interrupts, stop() was called) an error unwinds what runs,
 * and nothing of the scenario may catch it or go on from it: protected calls raise
 * it again, message handlers and coroutines' variables to be closed are passed
 * over, since Lua runs those that follow an error of its hook without the hook.
 *
 * And C functions of Lua's library that work for as long as a number says, which
 * the hook does not see: they are charged as instructions before they begin.
 */

static bool ends(const scenario_t *sc)
{
	return sc->sc_stopped || sc->sc_doomed;
}

/* ---- protected calls ---- */

/* Results lie above the first `below` values; of a failure, the message at the top. */
static int protected_end(lua_State *L, int status, lua_KContext below)
{
	if (status == LUA_OK || status == LUA_YIELD)
		return lua_gettop(L) - (int)below;
	if (status == LUA_ERRMEM)
		sc_of(L)->sc_nomemory = sc_of(L)->sc_doomed = true;
	if (ends(sc_of(L)))
		return lua_error(L);
	lua_pushboolean(L, 0);
	lua_insert(L, -2);
	return 2;
}

static int l_pcall(lua_State *L)
{
	luaL_checkany(L, 1);
	lua_pushboolean(L, 1);
	lua_insert(L, 1);
	return protected_end(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, protected_end), 0);
}

/* Upvalue: the scenario's own handler. */
static int handler(lua_State *L)
{
	lua_settop(L, 1);
	if (ends(sc_of(L)))
		return 1;
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, 1, 1);
	return 1;
}

static int l_xpcall(lua_State *L)
{
	int nargs = lua_gettop(L) - 2;

	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_pushvalue(L, 2);
	lua_pushcclosure(L, handler, 1);
	lua_replace(L, 2);
	lua_pushboolean(L, 1);
	lua_pushvalue(L, 1);
	lua_rotate(L, 3, 2);
	return protected_end(L, lua_pcallk(L, nargs, LUA_MULTRET, 2, 2, protected_end), 2);
}

/* ---- coroutines ---- */

/* coroutine.resume; upvalue: the real one. */
static int l_resume(lua_State *L)
{
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
	if (!lua_toboolean(L, 1) && ends(sc_of(L))) {
		lua_settop(L, 2);
		return lua_error(L);
	}
	return lua_gettop(L);
}

/* coroutine.close; upvalue: the real one. */
static int l_close(lua_State *L)
{
	if (ends(sc_of(L)))
		sc_error(L, "the run ends");
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
	return lua_gettop(L);
}

/* What coroutine.wrap() gives; upvalue: the coroutine. */
static int wrapped(lua_State *L)
{
	lua_State *co = lua_tothread(L, lua_upvalueindex(1));
	int n = lua_gettop(L), status;

	if (!lua_checkstack(co, n))
		return luaL_error(L, "too many arguments to resume");
	lua_xmove(L, co, n);
	status = lua_resume(co, L, n, &n);
	if (status == LUA_OK || status == LUA_YIELD) {
		luaL_checkstack(L, n, "too many results to resume");
		lua_xmove(co, L, n);
		return n;
	}
	if (!ends(sc_of(L)) && lua_status(co) > LUA_YIELD)
		(void)lua_resetthread(co);
	lua_xmove(co, L, 1);
	if (lua_type(L, -1) == LUA_TSTRING && !ends(sc_of(L))) {
		luaL_where(L, 1);
		lua_insert(L, -2);
		lua_concat(L, 2);
	}
	return lua_error(L);
}

static int l_wrap(lua_State *L)
{
	lua_State *co;

	luaL_checktype(L, 1, LUA_TFUNCTION);
	co = lua_newthread(L);
	lua_pushvalue(L, 1);
	lua_xmove(L, co, 1);
	lua_pushcclosure(L, wrapped, 1);
	return 1;
}

/* ---- long work ---- */

static void charge(lua_State *L, lua_Integer n)
{
	scenario_t *sc = sc_of(L);

	if (n <= 0)
		return;
	sc->sc_busy += (uint64_t)n;
	sc_check_busy(L);
}

/* Call the real function, an upvalue, with all arguments. */
static int real(lua_State *L)
{
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
	return lua_gettop(L);
}

/* table.insert, remove, sort: the list's length. */
static int l_list(lua_State *L)
{
	luaL_checkany(L, 1);
	if (lua_istable(L, 1))
		charge(L, luaL_len(L, 1));
	return real(L);
}

/* How many integers there are from one argument to another, as far as they are integers. */
static lua_Integer span(lua_State *L, int first, int last)
{
	lua_Integer lo = lua_tointeger(L, first), hi = lua_tointeger(L, last);

	return hi < lo ? 0 : (uint64_t)hi - (uint64_t)lo > INT64_MAX - 1 ? INT64_MAX : hi - lo + 1;
}

static int l_concat(lua_State *L)
{
	if (!lua_isnoneornil(L, 4))
		charge(L, lua_isnoneornil(L, 3) ? lua_tointeger(L, 4) : span(L, 3, 4));
	else if (lua_istable(L, 1))
		charge(L, luaL_len(L, 1));
	return real(L);
}

static int l_move(lua_State *L)
{
	charge(L, span(L, 2, 3));
	return real(L);
}

/* Bytes cost little, but copies of an empty string take time as well. */
static int l_rep(lua_State *L)
{
	size_t len, sep;
	lua_Integer n = luaL_checkinteger(L, 2);

	(void)luaL_checklstring(L, 1, &len);
	(void)luaL_optlstring(L, 3, "", &sep);
	if (len + sep == 0)
		n = MIN(n, 1);
	charge(L, n / 16);
	lua_pushinteger(L, n);
	lua_replace(L, 2);
	return real(L);
}

static const luaL_Reg coroutine_functions[] = {{"resume", l_resume}, {"close", l_close}, {NULL, NULL}},
		      table_functions[] = {{"insert", l_list},   {"remove", l_list}, {"sort", l_list},
					   {"concat", l_concat}, {"move", l_move},   {NULL, NULL}},
		      string_functions[] = {{"rep", l_rep}, {NULL, NULL}};

/* Put functions in place of the library's, each with the one it replaces as upvalue. */
static void replace(lua_State *L, const char *library, const luaL_Reg *functions)
{
	lua_getglobal(L, library);
	for (; functions->name != NULL; functions++) {
		lua_getfield(L, -1, functions->name);
		lua_pushcclosure(L, functions->func, 1);
		lua_setfield(L, -2, functions->name);
	}
	lua_pop(L, 1);
}

void bounds_open(lua_State *L)
{
	replace(L, "coroutine", coroutine_functions);
	replace(L, "table", table_functions);
	replace(L, "string", string_functions);
	lua_getglobal(L, "coroutine");
	lua_pushcfunction(L, l_wrap);
	lua_setfield(L, -2, "wrap");
	lua_pop(L, 1);
	lua_register(L, "pcall", l_pcall);
	lua_register(L, "xpcall", l_xpcall);
}
