#include "scenario/impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * at(), after(), every(): functions that the machine calls at their time, on
 * the main thread, between two other things that happen.
 */

static void unlink_timer(stimer_t *st)
{
	*st->st_prevp = st->st_next;
	if (st->st_next != NULL)
		st->st_next->st_prevp = st->st_prevp;
}

static void forget(stimer_t *st)
{
	unlink_timer(st);
	luaL_unref(st->st_sc->sc_L, LUA_REGISTRYINDEX, st->st_ref);
	sc_free(st->st_sc, st, sizeof(*st));
}

static void schedule(stimer_t *st, hrtime_t when);

static void fire(void *arg)
{
	stimer_t *st = arg;
	scenario_t *sc = st->st_sc;
	lua_State *L = sc->sc_L;
	bool more = st->st_period > 0 && (st->st_left < 0 || --st->st_left > 0);

	if (sc->sc_stopped || !sc_step(sc))
		return;
	lua_rawgeti(L, LUA_REGISTRYINDEX, st->st_ref);
	snprintf(sc->sc_origin, sizeof(sc->sc_origin), "%s", st->st_origin);
	if (more)
		schedule(st, machine_now() + st->st_period);
	else
		forget(st);
	(void)sc_call(L, 0);
	sc->sc_origin[0] = '\0';
}

static void schedule(stimer_t *st, hrtime_t when)
{
	event_schedule(&st->st_ev, when, fire, st);
}

/* The line that asks for it; inside what a timer calls without the scenario's doing, the line that asked for that. */
static void set_origin(lua_State *L, stimer_t *st)
{
	sc_where(L, st->st_origin, sizeof(st->st_origin));
	if (st->st_origin[0] == '\0')
		snprintf(st->st_origin, sizeof(st->st_origin), "%s", st->st_sc->sc_origin);
}

/* A timer for the function at arg; pushes its number, by which it may be cancelled. */
static int make(lua_State *L, int arg, hrtime_t when, hrtime_t period, int64_t times)
{
	scenario_t *sc = sc_of(L);
	stimer_t *st;

	luaL_checktype(L, arg, LUA_TFUNCTION);
	lua_pushvalue(L, arg);
	st = sc_alloc(sc, sizeof(*st));
	if (st == NULL)
		sc_error(L, "out of memory");
	st->st_sc = sc;
	st->st_period = period;
	st->st_left = times;
	st->st_next = sc->sc_timers;
	st->st_prevp = &sc->sc_timers;
	if (st->st_next != NULL)
		st->st_next->st_prevp = &st->st_next;
	sc->sc_timers = st;
	st->st_ref = LUA_NOREF;
	set_origin(L, st);
	st->st_ref = luaL_ref(L, LUA_REGISTRYINDEX);
	st->st_id = ++sc->sc_lasttimer;
	schedule(st, when);
	lua_pushinteger(L, (lua_Integer)st->st_id);
	return 1;
}

hrtime_t sc_seconds(lua_State *L, int arg)
{
	lua_Number s = luaL_checknumber(L, arg);

	luaL_argcheck(L, s >= 0 && s < 9e9, arg, "not a time in seconds");
	return (hrtime_t)llround(s * 1e9);
}

static int l_at(lua_State *L)
{
	hrtime_t when = sc_seconds(L, 1);

	if (when < machine_now())
		sc_error(L, "at(%f): that time has passed, it is %f", lua_tonumber(L, 1),
			 (lua_Number)machine_now() / 1e9);
	return make(L, 2, when, 0, 1);
}

static int l_after(lua_State *L)
{
	return make(L, 2, machine_now() + sc_seconds(L, 1), 0, 1);
}

static int l_every(lua_State *L)
{
	hrtime_t period = sc_seconds(L, 1);
	lua_Integer times = luaL_optinteger(L, 3, -1);

	luaL_argcheck(L, period > 0, 1, "must be more than 0");
	luaL_argcheck(L, times > 0 || lua_isnoneornil(L, 3), 3, "must be more than 0");
	return make(L, 2, machine_now() + period, period, times);
}

/* cancel(timer): true, or false when it was over already */
static int l_cancel(lua_State *L)
{
	scenario_t *sc = sc_of(L);
	lua_Integer id = luaL_checkinteger(L, 1);
	stimer_t *st = sc->sc_timers;

	while (st != NULL && (lua_Integer)st->st_id != id)
		st = st->st_next;
	lua_pushboolean(L, st != NULL);
	if (st != NULL) {
		(void)event_cancel(&st->st_ev);
		forget(st);
	}
	return 1;
}

static int l_now(lua_State *L)
{
	lua_pushnumber(L, (lua_Number)machine_now() / 1e9);
	return 1;
}

void timer_open(lua_State *L)
{
	lua_register(L, "at", l_at);
	lua_register(L, "after", l_after);
	lua_register(L, "every", l_every);
	lua_register(L, "cancel", l_cancel);
	lua_register(L, "now", l_now);
}

void timer_close(scenario_t *sc)
{
	stimer_t *next;

	for (stimer_t *st = sc->sc_timers; st != NULL; st = next) {
		next = st->st_next;
		(void)event_cancel(&st->st_ev);
		sc_free(sc, st, sizeof(*st));
	}
	sc->sc_timers = NULL;
}
