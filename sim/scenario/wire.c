#include "scenario/impl.h"

#include <stdlib.h>
#include <string.h>

#include "machine/nic.h"
#include "replay/player.h"

/*
 * The wire of the host's interface: frames that the scenario puts there, and
 * those that the host sends.  The latter are sent from deep inside the kernel,
 * so they are kept and shown from an event, at the same time but outside.
 */

typedef struct kept {
	struct kept *k_next;
	struct swire *k_wire;
	mevent_t k_ev;
	size_t k_len;
	uchar_t k_data[];
} kept_t;

typedef struct swire {
	scenario_t *w_sc;
	nic_t *w_nic;
	int w_listeners; /* list of functions */
	bool w_listening;
	bool w_wanted; /* the scenario wants to see what the host sends */
	struct wirelog *w_log;
	bool w_ownlog;
	kept_t *w_sent, **w_senttail; /* by the host, not shown yet */
	kept_t *w_lent;               /* on the wire to the host: the chip reads them soon */
	mevent_t w_show;
} swire_t;

static kept_t *keep(const void *data, size_t len)
{
	kept_t *k = malloc(sizeof(*k) + len);

	if (k == NULL)
		return NULL;
	memset(k, 0, sizeof(*k));
	k->k_len = len;
	memcpy(k->k_data, data, len);
	return k;
}

static swire_t *get_wire(lua_State *L)
{
	scenario_t *sc = sc_of(L);
	swire_t *w = sc->sc_wire;

	if (w->w_nic == NULL)
		w->w_nic = nic_install(0);
	if (w->w_nic == NULL)
		sc_error(L, "out of memory");
	return w;
}

/* ---- to the host ---- */

/* The machine ran what was ready since: the driver has its copy. */
static void give_back(void *arg)
{
	kept_t *k = arg;
	swire_t *w = k->k_wire;
	kept_t **kp = &w->w_lent;

	while (*kp != k)
		kp = &(*kp)->k_next;
	*kp = k->k_next;
	free(k);
}

/* wire:send(frame): true, or false and "missed" (no room, or no interface) or "filtered" (not for this station) */
static int w_send(lua_State *L)
{
	swire_t *w = get_wire(L);
	size_t len;
	const char *data = luaL_checklstring(L, 2, &len);
	kept_t *k;
	int r;

	luaL_argcheck(L, len >= 14 && len <= NIC_MAXFRAME, 2, "no Ethernet frame has this length");
	if (!sc_step(w->w_sc))
		return sc_stop(L);
	k = keep(data, len);
	if (k == NULL)
		sc_error(L, "out of memory");
	k->k_wire = w;
	k->k_next = w->w_lent;
	w->w_lent = k;
	event_schedule(&k->k_ev, machine_now(), give_back, k);
	if (w->w_log != NULL)
		wirelog_frame(w->w_log, k->k_data, len, machine_now());
	r = wire_rx(w->w_nic, k->k_data, len, 0);
	lua_pushboolean(L, r == WIRE_TAKEN);
	if (r == WIRE_TAKEN)
		return 1;
	lua_pushstring(L, r == WIRE_MISSED ? "missed" : "filtered");
	return 2;
}

/* ---- from the host ---- */

/* Protected: the frame, light userdata, to every listener. */
static int show_frame(lua_State *L)
{
	const kept_t *k = lua_touserdata(L, 1);
	const swire_t *w = sc_of(L)->sc_wire;

	lua_rawgeti(L, LUA_REGISTRYINDEX, w->w_listeners);
	for (lua_Integer i = 1; lua_rawgeti(L, 2, i) == LUA_TFUNCTION; i++) {
		lua_pushlstring(L, (const char *)k->k_data, k->k_len);
		lua_call(L, 1, 0);
	}
	return 0;
}

static void show(void *arg)
{
	swire_t *w = arg;

	while (w->w_sent != NULL) {
		kept_t *k = w->w_sent;

		w->w_sent = k->k_next;
		if (w->w_sent == NULL)
			w->w_senttail = &w->w_sent;
		if (!w->w_sc->sc_stopped && sc_step(w->w_sc)) {
			lua_pushcfunction(w->w_sc->sc_L, show_frame);
			lua_pushlightuserdata(w->w_sc->sc_L, k);
			(void)sc_call(w->w_sc->sc_L, 1);
		}
		free(k);
	}
}

static void on_tx(void *arg, const uchar_t *frame, size_t len, hrtime_t when)
{
	swire_t *w = arg;
	kept_t *k;

	if (w->w_ownlog)
		wirelog_frame(w->w_log, frame, len, when);
	k = w->w_wanted && !w->w_sc->sc_stopped ? keep(frame, len) : NULL;
	if (k == NULL)
		return;
	*w->w_senttail = k;
	w->w_senttail = &k->k_next;
	if (w->w_show.me_slot == 0)
		event_schedule(&w->w_show, machine_now(), show, w);
}

static bool listen_wire(swire_t *w)
{
	if (!w->w_listening && wire_listen(w->w_nic, on_tx, w) == 0)
		w->w_listening = true;
	return w->w_listening;
}

/* wire:on(f): f(frame) for every frame that the host sends */
static int w_on(lua_State *L)
{
	swire_t *w = get_wire(L);

	luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	lua_rawgeti(L, LUA_REGISTRYINDEX, w->w_listeners);
	lua_insert(L, 2);
	lua_rawseti(L, 2, (lua_Integer)lua_rawlen(L, 2) + 1);
	if (!listen_wire(w))
		sc_error(L, "out of memory");
	w->w_wanted = true;
	return 0;
}

int wire_start(scenario_t *sc, struct wirelog *log)
{
	swire_t *w = sc->sc_wire;
	char err[512] = "out of memory";

	w->w_log = log;
	if (log != NULL || sc->sc_opts.wire == NULL)
		return 0;
	w->w_log = wirelog_open(sc->sc_opts.wire, err, sizeof(err));
	if (w->w_nic == NULL)
		w->w_nic = nic_install(0);
	w->w_ownlog = w->w_log != NULL;
	if (w->w_log != NULL && w->w_nic != NULL && listen_wire(w)) {
		wirelog_epoch(w->w_log, 0);
		return 0;
	}
	sc_fail(sc, "%s", err);
	return -1;
}

static void close_log(scenario_t *sc, struct wirelog *log)
{
	char err[512];

	if (wirelog_close(log, err, sizeof(err)) == 0)
		return;
	if (sc->sc_error == NULL)
		sc_fail(sc, "%s", err);
	sc->sc_status = 1;
}

bool wire_busy(const scenario_t *sc)
{
	return sc->sc_wire->w_sent != NULL;
}

/* The sum of RFC 1071 of a string, continued from another sum: frame.sum(s[, start]) */
static int w_sum(lua_State *L)
{
	size_t len;
	const unsigned char *p = (const unsigned char *)luaL_checklstring(L, 1, &len);
	uint64_t sum = (uint64_t)luaL_optinteger(L, 2, 0);

	for (size_t i = 0; i + 1 < len; i += 2)
		sum += (uint64_t)p[i] << 8 | p[i + 1];
	if (len % 2 != 0)
		sum += (uint64_t)p[len - 1] << 8;
	while (sum >> 16 != 0)
		sum = (sum & 0xffff) + (sum >> 16);
	lua_pushinteger(L, (lua_Integer)sum);
	return 1;
}

static int w_addr(lua_State *L)
{
	uint32_t a = sc_ipaddr(L, luaL_checkstring(L, 1));

	lua_pushlstring(L, (const char *)&a, sizeof(a));
	return 1;
}

void wire_open(lua_State *L)
{
	static const luaL_Reg functions[] = {{"send", w_send}, {"on", w_on}, {NULL, NULL}};
	scenario_t *sc = sc_of(L);

	sc->sc_wire = calloc(1, sizeof(*sc->sc_wire));
	if (sc->sc_wire == NULL)
		sc_error(L, "out of memory");
	sc->sc_wire->w_sc = sc;
	sc->sc_wire->w_senttail = &sc->sc_wire->w_sent;
	lua_newtable(L);
	sc->sc_wire->w_listeners = luaL_ref(L, LUA_REGISTRYINDEX);
	luaL_newlib(L, functions);
	lua_setglobal(L, "wire");
	lua_getfield(L, LUA_REGISTRYINDEX, "private");
	lua_pushcfunction(L, w_sum);
	lua_setfield(L, -2, "sum");
	lua_pushcfunction(L, w_addr);
	lua_setfield(L, -2, "ipaddr");
	lua_pop(L, 1);
}

void wire_close(scenario_t *sc)
{
	swire_t *w = sc->sc_wire;

	if (w == NULL)
		return;
	if (w->w_listening)
		wire_unlisten(w->w_nic, on_tx, w);
	if (w->w_ownlog)
		close_log(sc, w->w_log);
	(void)event_cancel(&w->w_show);
	while (w->w_lent != NULL) {
		kept_t *k = w->w_lent;

		w->w_lent = k->k_next;
		(void)event_cancel(&k->k_ev);
		free(k);
	}
	while (w->w_sent != NULL) {
		kept_t *k = w->w_sent;

		w->w_sent = k->k_next;
		free(k);
	}
	free(w);
	sc->sc_wire = NULL;
}
