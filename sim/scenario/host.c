#include "scenario/impl.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ip/ip.h"
#include "machine/nic.h"
#include "replay/player.h"
#include "sys/errno.h"
#include "sys/ipsec.h"
#include "sys/tun.h"

/*
 * The host's place in the network: interfaces, routes, stations, tunnels.  All
 * of that sleeps, so a kernel thread does it, one job after the other: before
 * the first process runs for what the file declares, else soon.
 *
 * And captures, which the replay (sim/replay) plays as part of a scenario.
 */

#define IFNAME "rtls0"

typedef enum what { J_PLUMB, J_ADDIF, J_ARP, J_ROUTE, J_TUNNEL, J_SA } what_t;

typedef struct job {
	struct job *j_next;
	what_t j_what;
	char j_where[128]; /* the scenario's line */
	uint32_t j_addr, j_mask, j_gateway;
	uchar_t j_mac[6];
	bool j_hasmac;
	char j_name[32];
	tun_config_t j_tun;
	ipsec_sa_req_t j_sa;
} job_t;

typedef struct shost {
	scenario_t *h_sc;
	job_t *h_jobs, **h_tail; /* to be done */
	job_t *h_undo;           /* interfaces to take down, newest first */
	bool h_running, h_declared;
	player_t *h_player;
	bool h_playing;
	char *h_file, *h_address;
	const char *h_files[1];
	replay_opts_t h_opts;
	hrtime_t h_offset;
} shost_t;

/* ---- jobs ---- */

static const char *job_name(what_t what)
{
	static const char *const names[] = {"interface", "address", "arp", "route", "tunnel", "security association"};

	return names[what];
}

static int do_job(const job_t *j)
{
	switch (j->j_what) {
	case J_PLUMB:
		return ip_plumb(IFNAME, 0, j->j_addr, j->j_mask, j->j_hasmac ? j->j_mac : NULL);
	case J_ADDIF:
		return ip_addif(IFNAME, 0, j->j_addr, j->j_mask);
	case J_ARP:
		return arp_static(IFNAME, 0, j->j_addr, j->j_mac);
	case J_ROUTE:
		return ip_route_add(j->j_addr, j->j_mask, j->j_gateway);
	case J_TUNNEL:
		return tun_plumb(&j->j_tun);
	default:
		return sadb_add(&j->j_sa);
	}
}

/* The kernel thread that does them. */
static void work(void *arg)
{
	shost_t *h = arg;

	while (h->h_jobs != NULL) {
		job_t *j = h->h_jobs;
		int error = do_job(j);

		h->h_jobs = j->j_next;
		if (h->h_jobs == NULL)
			h->h_tail = &h->h_jobs;
		if (error != 0)
			sc_fail(h->h_sc, "%s: %s: %s", j->j_where, job_name(j->j_what), errno_name(error));
		if (error == 0 && (j->j_what == J_PLUMB || j->j_what == J_TUNNEL)) {
			j->j_next = h->h_undo;
			h->h_undo = j;
		} else {
			free(j);
		}
	}
	h->h_running = false;
}

static void begin_work(shost_t *h)
{
	if (h->h_jobs == NULL || h->h_running)
		return;
	h->h_running = thread_create(work, h, 60) != NULL;
	if (!h->h_running)
		sc_fail(h->h_sc, "no memory for a thread");
}

static job_t *new_job(lua_State *L, what_t what)
{
	job_t *j = calloc(1, sizeof(*j));

	if (j == NULL)
		sc_error(L, "out of memory");
	j->j_what = what;
	sc_where(L, j->j_where, sizeof(j->j_where));
	return j;
}

/* A copy of the job, to be done; j itself lies in the caller's frame until all its fields were found good. */
static int add_job(lua_State *L, const job_t *j)
{
	shost_t *h = sc_of(L)->sc_host;
	job_t *copy = new_job(L, j->j_what);

	memcpy(copy->j_name, j->j_name, sizeof(copy->j_name));
	memcpy(copy->j_mac, j->j_mac, sizeof(copy->j_mac));
	copy->j_addr = j->j_addr;
	copy->j_mask = j->j_mask;
	copy->j_gateway = j->j_gateway;
	copy->j_hasmac = j->j_hasmac;
	copy->j_tun = j->j_tun;
	copy->j_tun.tc_name = copy->j_name;
	copy->j_sa = j->j_sa;
	*h->h_tail = copy;
	h->h_tail = &copy->j_next;
	if (sc_of(L)->sc_started)
		begin_work(h);
	return 0;
}

/* ---- fields of a table, argument 1 ---- */

static const char *text_field(lua_State *L, const char *name, const char *dflt)
{
	const char *s = dflt;

	if (lua_getfield(L, 1, name) != LUA_TNIL) {
		s = lua_tostring(L, -1); /* the table keeps it */
		if (lua_type(L, -1) != LUA_TSTRING)
			sc_error(L, "%s must be a string", name);
	}
	lua_pop(L, 1);
	return s;
}

static uint32_t addr_field(lua_State *L, const char *name, const char *dflt)
{
	const char *s = text_field(L, name, dflt);

	if (s == NULL)
		sc_error(L, "%s is missing: an IPv4 address", name);
	return sc_ipaddr(L, s);
}

static lua_Integer int_field(lua_State *L, const char *name, lua_Integer dflt)
{
	lua_Integer v = dflt;
	int ok = 1;

	if (lua_getfield(L, 1, name) != LUA_TNIL)
		v = lua_tointegerx(L, -1, &ok);
	if (!ok)
		sc_error(L, "%s must be a whole number", name);
	lua_pop(L, 1);
	return v;
}

static bool mac_field(lua_State *L, const char *name, uchar_t mac[6])
{
	const char *s = text_field(L, name, NULL);
	unsigned b[6];
	char end;

	if (s == NULL)
		return false;
	if (sscanf(s, "%2x:%2x:%2x:%2x:%2x:%2x%c", &b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &end) != 6)
		sc_error(L, "\"%s\" is no Ethernet address", s);
	for (int i = 0; i < 6; i++)
		mac[i] = (uchar_t)b[i];
	return true;
}

static void only_fields(lua_State *L, const char *what, const char *const *known)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
		const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
		int i = 0;

		while (known[i] != NULL && strcmp(known[i], key) != 0)
			i++;
		if (known[i] == NULL)
			sc_error(L, "%s: unknown field %s", what, key);
	}
}

/* ---- what the library calls ---- */

/* plumb{ addr =, mask =, mac =, mtu = } */
static int h_plumb(lua_State *L)
{
	static const char *const known[] = {"addr", "mask", "mac", "mtu", NULL};
	shost_t *h = sc_of(L)->sc_host;
	job_t j = {.j_what = J_PLUMB};
	nic_t *nic = nic_install(0);
	lua_Integer mtu;

	only_fields(L, "host", known);
	if (h->h_declared || h->h_file != NULL)
		sc_error(L, "host: there is one host, and it has its address already");
	j.j_addr = addr_field(L, "addr", NULL);
	j.j_mask = addr_field(L, "mask", "255.255.255.0");
	j.j_hasmac = mac_field(L, "mac", j.j_mac);
	mtu = int_field(L, "mtu", 1500);
	luaL_argcheck(L, mtu >= 68 && mtu <= 65535, 1, "mtu must be 68 to 65535");
	if (nic == NULL)
		sc_error(L, "out of memory");
	nic_set_mtu(nic, (uint_t)mtu);
	h->h_declared = true;
	return add_job(L, &j);
}

static int h_addif(lua_State *L)
{
	static const char *const known[] = {"addr", "mask", NULL};
	job_t j = {.j_what = J_ADDIF};

	only_fields(L, "host:address", known);
	j.j_addr = addr_field(L, "addr", NULL);
	j.j_mask = addr_field(L, "mask", "255.255.255.0");
	return add_job(L, &j);
}

static int h_arp(lua_State *L)
{
	static const char *const known[] = {"ip", "mac", NULL};
	job_t j = {.j_what = J_ARP};

	only_fields(L, "host:arp", known);
	j.j_addr = addr_field(L, "ip", NULL);
	if (!mac_field(L, "mac", j.j_mac))
		sc_error(L, "host:arp: mac is missing");
	return add_job(L, &j);
}

static int h_route(lua_State *L)
{
	static const char *const known[] = {"dest", "mask", "gateway", NULL};
	job_t j = {.j_what = J_ROUTE};

	only_fields(L, "host:route", known);
	j.j_addr = addr_field(L, "dest", "0.0.0.0");
	j.j_mask = addr_field(L, "mask", j.j_addr == 0 ? "0.0.0.0" : "255.255.255.255");
	j.j_gateway = addr_field(L, "gateway", NULL);
	return add_job(L, &j);
}

/* tunnel{ name =, tsrc =, tdst =, addr =, dstaddr =, mtu =, hoplimit =, esp = true } */
static int h_tunnel(lua_State *L)
{
	static const char *const known[] = {"name", "tsrc", "tdst", "addr", "dstaddr", "mtu", "hoplimit", "esp", NULL};
	job_t j = {.j_what = J_TUNNEL};

	only_fields(L, "tunnel", known);
	snprintf(j.j_name, sizeof(j.j_name), "%s", text_field(L, "name", "ip.tun0"));
	j.j_tun.tc_tsrc = addr_field(L, "tsrc", NULL);
	j.j_tun.tc_tdst = addr_field(L, "tdst", NULL);
	j.j_tun.tc_addr = addr_field(L, "addr", NULL);
	j.j_tun.tc_dstaddr = addr_field(L, "dstaddr", NULL);
	j.j_tun.tc_mtu = (uint_t)int_field(L, "mtu", 0);
	j.j_tun.tc_hoplimit = (uint_t)int_field(L, "hoplimit", 0);
	lua_getfield(L, 1, "esp");
	if (lua_toboolean(L, -1)) {
		j.j_tun.tc_secinfo.ipsr_esp_req = IPSEC_PREF_REQUIRED;
		j.j_tun.tc_secinfo.ipsr_esp_alg = SADB_EALG_NULL;
	}
	return add_job(L, &j);
}

/* sa{ dir = "in" | "out", spi =, src =, dst =, window =, seq = } */
static int h_sa(lua_State *L)
{
	static const char *const known[] = {"dir", "spi", "src", "dst", "window", "seq", NULL};
	job_t j = {.j_what = J_SA};
	const char *dir;

	only_fields(L, "sa", known);
	dir = text_field(L, "dir", "");
	if (strcmp(dir, "in") != 0 && strcmp(dir, "out") != 0)
		sc_error(L, "sa: dir must be \"in\" or \"out\"");
	j.j_sa.isr_dir = dir[0] == 'i' ? IPSA_INBOUND : IPSA_OUTBOUND;
	j.j_sa.isr_spi = (uint32_t)int_field(L, "spi", 0);
	j.j_sa.isr_src = addr_field(L, "src", "0.0.0.0");
	j.j_sa.isr_dst = addr_field(L, "dst", NULL);
	j.j_sa.isr_alg = SADB_EALG_NULL;
	j.j_sa.isr_window = (uint32_t)int_field(L, "window", dir[0] == 'i' ? 32 : 0);
	j.j_sa.isr_seq = (uint32_t)int_field(L, "seq", 0);
	return add_job(L, &j);
}

/* The Ethernet address the chip has by itself or was given. */
static int h_mac(lua_State *L)
{
	nic_t *nic = nic_install(0);
	const uchar_t *m;

	if (nic == NULL)
		sc_error(L, "out of memory");
	m = nic_eeprom(nic);
	lua_pushlstring(L, (const char *)m, 6);
	return 1;
}

/* ---- captures ---- */

/* A file of the scenario's folder, or one that its arguments name. */
static char *capture_path(lua_State *L, const char *name)
{
	const scenario_t *sc = sc_of(L);
	char *path;

	for (int i = 0; i < sc->sc_nargs; i++) {
		if (strcmp(sc->sc_args[i], name) == 0)
			return strdup(name);
	}
	if (asprintf(&path, "%s%s", sc->sc_dir, name) < 0)
		return NULL;
	if (name[0] != '/' && sandbox_below(path, sc->sc_dir))
		return path;
	free(path);
	sc_error(L, "replay: %s is not in the scenario's folder and none of its arguments", name);
}

static char *copy_field(lua_State *L, const char *name)
{
	const char *s = text_field(L, name, NULL);

	return s != NULL ? strdup(s) : NULL;
}

/* replay{ file =, host =, writes = "segment" | "push", at = } */
static int h_replay(lua_State *L)
{
	static const char *const known[] = {"file", "host", "writes", "at", NULL};
	shost_t *h = sc_of(L)->sc_host;
	const char *file, *host, *writes;

	only_fields(L, "replay", known);
	if (h->h_file != NULL || h->h_declared || sc_of(L)->sc_started)
		sc_error(L, "replay: one capture, before the scenario runs, and without a host of its own");
	file = text_field(L, "file", NULL);
	if (file == NULL)
		sc_error(L, "replay: file is missing");
	host = text_field(L, "host", NULL);
	if (host != NULL && replay_host(host) == 0)
		sc_error(L, "replay: %s is not the address of a host", host);
	writes = text_field(L, "writes", "segment");
	if (strcmp(writes, "segment") != 0 && strcmp(writes, "push") != 0)
		sc_error(L, "replay: writes must be \"segment\" or \"push\"");
	if (lua_getfield(L, 1, "at") != LUA_TNIL)
		h->h_offset = sc_seconds(L, -1);
	h->h_file = capture_path(L, file);
	h->h_address = copy_field(L, "host");
	h->h_opts = (replay_opts_t){.nfiles = 1,
				    .host = h->h_address,
				    .writes_push = writes[0] == 'p',
				    .wire = sc_of(L)->sc_opts.wire,
				    .ncpu = 1};
	return 0;
}

static int start_replay(shost_t *h)
{
	char err[512] = "out of memory";

	h->h_files[0] = h->h_file;
	h->h_opts.files = h->h_files;
	h->h_player = player_create(&h->h_opts);
	if (h->h_player == NULL || player_census(h->h_player, err, sizeof(err)) != 0) {
		sc_fail(h->h_sc, "replay: %s", err);
		return -1;
	}
	source_shift(h->h_player->pl_src, h->h_offset);
	if (player_start(h->h_player, err, sizeof(err)) != 0) {
		sc_fail(h->h_sc, "replay: %s", err);
		return -1;
	}
	h->h_playing = true;
	return 0;
}

bool host_busy(const scenario_t *sc)
{
	return sc->sc_host->h_playing || sc->sc_host->h_running;
}

hrtime_t host_next(scenario_t *sc)
{
	shost_t *h = sc->sc_host;

	return h->h_playing ? player_next(h->h_player) : INT64_MAX;
}

void host_run(scenario_t *sc, hrtime_t until)
{
	shost_t *h = sc->sc_host;

	if (!h->h_playing) {
		machine_run(until);
	} else if (player_run(h->h_player, until) != 0) {
		h->h_playing = false;
	}
}

/* ---- life ---- */

int host_start(scenario_t *sc)
{
	shost_t *h = sc->sc_host;

	if (h->h_file != NULL && start_replay(h) != 0)
		return -1;
	if (wire_start(sc, h->h_player != NULL ? h->h_player->pl_wire : NULL) != 0)
		return -1;
	begin_work(h);
	machine_run_ready();
	return sc->sc_error != NULL ? -1 : 0;
}

static void undo(void *arg)
{
	shost_t *h = arg;

	while (h->h_undo != NULL) {
		job_t *j = h->h_undo;

		h->h_undo = j->j_next;
		if (j->j_what == J_TUNNEL)
			(void)tun_unplumb(j->j_name);
		else
			(void)ip_unplumb(IFNAME, 0);
		free(j);
	}
}

static void free_jobs(job_t *j)
{
	while (j != NULL) {
		job_t *next = j->j_next;

		free(j);
		j = next;
	}
}

void host_close(scenario_t *sc)
{
	shost_t *h = sc->sc_host;

	if (h == NULL)
		return;
	if (h->h_player != NULL) {
		player_stop(h->h_player);
		if (h->h_player->pl_scout != NULL)
			player_say(h->h_player, &h->h_player->pl_acct);
		if (h->h_player->pl_failed)
			sc->sc_status = 1;
		player_destroy(h->h_player);
	}
	if (h->h_undo != NULL && thread_create(undo, h, 60) != NULL)
		machine_run_ready();
	free_jobs(h->h_undo);
	free_jobs(h->h_jobs);
	free(h->h_file);
	free(h->h_address);
	free(h);
	sc->sc_host = NULL;
}

void host_open(lua_State *L)
{
	static const luaL_Reg functions[] = {{"plumb", h_plumb},  {"addif", h_addif},   {"arp", h_arp},
					     {"route", h_route},  {"tunnel", h_tunnel}, {"sa", h_sa},
					     {"host_mac", h_mac}, {"replay", h_replay}, {NULL, NULL}};
	scenario_t *sc = sc_of(L);

	sc->sc_host = calloc(1, sizeof(*sc->sc_host));
	if (sc->sc_host == NULL)
		sc_error(L, "out of memory");
	sc->sc_host->h_sc = sc;
	sc->sc_host->h_tail = &sc->sc_host->h_jobs;
	lua_getfield(L, LUA_REGISTRYINDEX, "private");
	luaL_setfuncs(L, functions, 0);
	lua_pop(L, 1);
}
