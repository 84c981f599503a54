#include "replay/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ip/ip.h"
#include "replay/frag.h"
#include "sys/signal.h"

/*
 * The replay: each frame of the capture, in order, at its time.
 *
 * A frame for the modelled host is put on its wire, and the driver's interrupt
 * does the rest.  A frame the host sent is never put there: it tells what its
 * processes did, and they do it again (conn.c, dgram.c, ping.c); what the model's own
 * kernel then sends, it sends by its own rules.  After every frame all that it
 * set in motion runs to its end before time goes on.
 */

#define IFNAME "rtls0"
#define ETHERTYPE_ARP 0x0806
#define ETHERTYPE_IPV6 0x86dd

/* ---- services for the parts ---- */

/* A process may own several connections (the table gave them one pid): it ends with the last of them. */
typedef struct owner {
	proc_t *o_proc;
	int o_uses;
	struct owner *o_next; /* of those that ended */
} owner_t;

void player_settle(player_t *pl)
{
	machine_run_ready();
	while (pl->pl_ended != NULL) {
		owner_t *o = pl->pl_ended;

		pl->pl_ended = o->o_next;
		proc_exit(o->o_proc);
		free(o);
	}
}

/* With a plan, the number was given when it was made. */
static int next_pid(player_t *pl, pidkind_t kind, uint64_t num)
{
	return pl->pl_plan != NULL ? plan_pid(pl->pl_plan, kind, num) : pids_take(&pl->pl_pids, kind);
}

static proc_t *owner_create(int pid, const char *psargs)
{
	owner_t *o = calloc(1, sizeof(*o));

	if (o == NULL)
		return NULL;
	o->o_proc = proc_create(p0, pid, psargs);
	if (o->o_proc == NULL) {
		free(o);
		return NULL;
	}
	o->o_uses = 1;
	/* a peer that went away is no reason to die */
	o->o_proc->p_ignore |= 1ULL << SIGPIPE;
	o->o_proc->p_data = o;
	return o->o_proc;
}

proc_t *player_proc(player_t *pl, const proc_want_t *want, pidkind_t kind, uint64_t num)
{
	char psargs[PSARGSZ];
	int pid = proctab_name(pl->pl_procs, want, psargs, sizeof(psargs));
	proc_t *p = pid != 0 ? prfind(pid) : NULL;
	owner_t *o = p != NULL ? p->p_data : NULL;

	if (o == NULL)
		return owner_create(pid != 0 ? pid : next_pid(pl, kind, num), psargs);
	o->o_uses++;
	return p;
}

void player_release(player_t *pl, proc_t *p)
{
	owner_t *o = p->p_data;

	if (--o->o_uses > 0)
		return;
	p->p_data = NULL;
	o->o_next = pl->pl_ended;
	pl->pl_ended = o;
}

static void close_job(void *arg)
{
	(void)SYS1(close, (intptr_t)arg);
}

void player_close(player_t *pl, proc_t *p, int fd)
{
	if (fd >= 0 && lwp_create(p, close_job, (void *)(intptr_t)fd) != NULL)
		player_settle(pl);
}

uint_t player_ifindex(const player_t *pl, uint32_t inst)
{
	return pl->pl_ifindex[inst];
}

/* ---- the network of the capture ---- */

typedef struct plumbing {
	player_t *p_pl;
	uint32_t p_inst;
	int p_error;
} plumbing_t;

static void plumb_job(void *arg)
{
	plumbing_t *p = arg;
	player_t *pl = p->p_pl;

	p->p_error = ip_plumb(IFNAME, p->p_inst, pl->pl_host, htonl(0xffffff00U), pl->pl_mac);
	if (p->p_error == 0)
		pl->pl_ifindex[p->p_inst] = ip_ifindex(IFNAME, p->p_inst);
}

/* The host's interface on a VLAN instance is there. */
static int need_interface(player_t *pl, uint32_t inst)
{
	plumbing_t p = {pl, inst, 0};

	if (pl->pl_host == 0 || (pl->pl_plumbed[inst / 8] & 1 << inst % 8))
		return 0;
	pl->pl_plumbed[inst / 8] |= (uint8_t)(1 << inst % 8);
	if (thread_create(plumb_job, &p, 60) == NULL)
		return -1;
	player_settle(pl);
	return p.p_error;
}

/* An Ethernet address in the place of a pointer to it; no address is NULL. */
static void *mac_word(const uint8_t mac[6])
{
	uint64_t w = 0;

	memcpy(&w, mac, 6);
	return (void *)(uintptr_t)(w << 1 | 1);
}

/* The Ethernet address of a peer, from its frames: no ARP exchange is invented. */
static void learn_station(player_t *pl, uint32_t inst, uint32_t addr, const uint8_t mac[6])
{
	uint64_t key = STATION_KEY(inst, addr);
	void *word = mac_word(mac);
	ptslot_t *s;

	if (addr == pl->pl_host || ntohl(addr) >= 0xe0000000U || addr == 0)
		return;
	s = ptab_find(&pl->pl_stations, key);
	if (s != NULL && s->ps_val == word)
		return;
	if (s != NULL)
		s->ps_val = word;
	else if (!ptab_put(&pl->pl_stations, key, word))
		return;
	(void)arp_static(IFNAME, inst, addr, mac);
}

/* ---- one frame ---- */

static uint_t wire_flags(const player_t *pl, const rframe_t *f)
{
	uint_t flags = 0;

	if (!f->rf_ip)
		return 0;
	if (f->rf_tso || census_offloaded(pl->pl_census, f->rf_ipsrc, SUM_IP))
		flags |= WIRE_NOCKSUM_IP;
	if (f->rf_cut || f->rf_tso || (f->rf_tcp && census_offloaded(pl->pl_census, f->rf_ipsrc, SUM_TCP)) ||
	    (f->rf_udp && census_offloaded(pl->pl_census, f->rf_ipsrc, SUM_UDP)))
		flags |= WIRE_NOCKSUM_L4;
	return flags;
}

static bool to_station(const player_t *pl, const rframe_t *f)
{
	return (f->rf_dst[0] & 1) || memcmp(f->rf_dst, pl->pl_mac, 6) == 0;
}

/* Put the frame on the host's wire as it came, or mended where the capture or the link type wants it. */
static void inject(player_t *pl, const rframe_t *f, uint32_t inst)
{
	const uint8_t *frame = f->rf_data;
	size_t len = f->rf_caplen;
	bool stray = f->rf_ip && f->rf_ipdst == pl->pl_host && !to_station(pl, f);

	if (!f->rf_hasmac || f->rf_ntags != 0 || f->rf_tso || f->rf_caplen < f->rf_len || stray) {
		len = rf_rebuild(f, (uint16_t)inst, pl->pl_buf);
		frame = pl->pl_buf;
		/* captured where the host had another address: what is for the host must reach it */
		if (stray)
			memcpy(pl->pl_buf, pl->pl_mac, 6);
	}
	if (pl->pl_wire != NULL)
		wirelog_frame(pl->pl_wire, frame, len, machine_now());
	(void)wire_rx(pl->pl_nic, frame, len, wire_flags(pl, f));
}

static acct_t play_not_ip(player_t *pl, const rframe_t *f, uint32_t inst)
{
	if (!f->rf_hasmac || pl->pl_host == 0)
		return AC_FOREIGN;
	if (memcmp(f->rf_src, pl->pl_mac, 6) == 0)
		return f->rf_type == ETHERTYPE_ARP ? AC_KERNEL : AC_NOTREPLAYED;
	if (!to_station(pl, f))
		return AC_FOREIGN;
	pl->pl_acct.a_notip++;
	inject(pl, f, inst);
	return AC_RECEIVED;
}

/* Views of a TCP segment, the receiver's first: it must be ready when the sender acts. */
static acct_t play_tcp(player_t *pl, const rframe_t *f, uint32_t inst)
{
	view_t v[2];
	acct_t class = AC_RECEIVED;
	int n = host_views(pl->pl_host, inst, f, v);

	for (int i = n - 1; i >= 0; i--) {
		if (v[i].v_side == SIDE_HOST)
			class = conn_host(pl, &v[i], i, f);
		else
			conn_peer(pl, &v[i], i, f);
	}
	return class;
}

static acct_t play_sent(player_t *pl, rframe_t *f, uint32_t inst)
{
	if (rf_isfrag(f) && !fragtab_add(pl->pl_frags, f))
		return AC_FRAGMENT;
	if (f->rf_bad != RF_OK) {
		pl->pl_acct.a_bad[f->rf_bad]++;
		return AC_DROPPED;
	}
	learn_station(pl, inst, f->rf_ipdst, f->rf_dst);
	if (f->rf_tcp)
		return play_tcp(pl, f, inst);
	if (f->rf_udp)
		return dgram_host(pl, inst, f);
	if (ping_request(f))
		return ping_host(pl, inst, f);
	if (f->rf_proto == 1 || f->rf_proto == 2) {
		pl->pl_acct.a_kernel_proto[f->rf_proto]++;
		return AC_KERNEL;
	}
	pl->pl_acct.a_notreplayed_proto[f->rf_proto]++;
	return AC_NOTREPLAYED;
}

static acct_t play_received(player_t *pl, const rframe_t *f, uint32_t inst)
{
	rframe_t whole = *f;

	if (f->rf_bad == RF_CUT_IP || f->rf_bad == RF_CUT_L4 || f->rf_bad == RF_CUT_LINK) {
		pl->pl_acct.a_bad[f->rf_bad]++;
		return AC_DROPPED;
	}
	if (f->rf_bad == RF_OK) {
		/* no station has a group's address: such a frame was made up, and so is its sender */
		if (f->rf_src[0] & 1)
			rf_madeup_mac(f->rf_ipsrc, whole.rf_src);
		learn_station(pl, inst, f->rf_ipsrc, whole.rf_src);
		if (!rf_isfrag(f) || fragtab_add(pl->pl_frags, &whole)) {
			if (whole.rf_tcp)
				(void)play_tcp(pl, &whole, inst);
			else if (whole.rf_udp)
				dgram_peer(pl, inst, &whole);
			else
				ping_expire(pl, f->rf_time);
		}
	}
	inject(pl, f, inst);
	return AC_RECEIVED;
}

static acct_t play_ip(player_t *pl, rframe_t *f, uint32_t inst)
{
	if (f->rf_bad == RF_CUT_IP && f->rf_netcap < 20) {
		pl->pl_acct.a_bad[f->rf_bad]++;
		return AC_DROPPED;
	}
	if (pl->pl_host == 0)
		return AC_FOREIGN;
	if (f->rf_ipsrc != pl->pl_host && f->rf_ipdst != pl->pl_host && !to_station(pl, f))
		return AC_FOREIGN;
	if (need_interface(pl, inst) != 0)
		return AC_LATE;
	if (f->rf_ipsrc == pl->pl_host)
		return play_sent(pl, f, inst);
	if (f->rf_ipdst == pl->pl_host || (f->rf_dst[0] & 1))
		return play_received(pl, f, inst);
	pl->pl_acct.a_toother++;
	inject(pl, f, inst);
	return AC_FOREIGN;
}

static void count_frame(account_t *a, const rframe_t *f)
{
	a->a_frames++;
	a->a_ipv4 += f->rf_ip;
	a->a_ipv6 += f->rf_type == ETHERTYPE_IPV6;
	a->a_arp += f->rf_type == ETHERTYPE_ARP;
	a->a_fragments += rf_isfrag(f);
}

static void play_frame(player_t *pl, rframe_t *f)
{
	acct_t class;
	int inst = vlan_instance(pl->pl_scout, f);

	count_frame(&pl->pl_acct, f);
	if (f->rf_bad == RF_CUT_LINK || inst < 0) {
		pl->pl_acct.a_bad[RF_CUT_LINK]++;
		class = AC_DROPPED;
	} else if (f->rf_ip) {
		class = play_ip(pl, f, (uint32_t)inst);
	} else {
		class = play_not_ip(pl, f, (uint32_t)inst);
	}
	pl->pl_acct.a_class[class]++;
	player_settle(pl);
}

/* ---- the workload ---- */

static void see_ahead(void *arg, const rframe_t *f)
{
	player_t *pl = arg;

	if (f->rf_num <= pl->pl_counted)
		return;
	pl->pl_counted = f->rf_num;
	census_frame(pl->pl_census, f);
}

/* A line that is written over, and cleared at the end; the first CPU's stands for all. */
#define PROGRESS_FRAMES 16384

static void show_progress(const player_t *pl)
{
	int percent;

	if (!pl->pl_progress || pl->pl_cpu != 0 || (!pl->pl_eof && pl->pl_frame.rf_num % PROGRESS_FRAMES != 0))
		return;
	percent = source_percent(pl->pl_src);
	if (pl->pl_eof)
		fprintf(stderr, "\r%60s\r", "");
	else if (percent < 0)
		fprintf(stderr, "\rstrsim: frame %llu ", (unsigned long long)pl->pl_frame.rf_num);
	else
		fprintf(stderr, "\rstrsim: frame %llu, %d %% ", (unsigned long long)pl->pl_frame.rf_num, percent);
}

/* The next frame to play is in pl_frame, or pl_eof.  From a pipe the scout must have read it first. */
static void fetch(player_t *pl)
{
	bool pipe = !source_seekable(pl->pl_src);

	while (!pl->pl_have && !pl->pl_eof) {
		int r;

		if (pipe)
			scout_ahead(pl->pl_scout, pl->pl_acct.a_frames + 1, see_ahead, pl);
		r = source_next(pl->pl_src, READ_PLAY, &pl->pl_frame);
		if (r == 1 && !pipe)
			scout_ahead(pl->pl_scout, pl->pl_frame.rf_num, NULL, NULL);
		if (r == 1)
			pl->pl_have = true;
		else if (r == 0)
			pl->pl_eof = true;
		else {
			if (pl->pl_lead == NULL)
				fprintf(stderr, "strsim: %s\n", source_error(pl->pl_src));
			pl->pl_failed = true;
		}
		if (r >= 0)
			show_progress(pl);
	}
}

/* Time goes on to this one's, with all that it brings. */
static void come_to(player_t *pl, int64_t time)
{
	machine_run(time);
	pl->pl_last = time;
}

/*
 * A frame of another CPU's.  Two things of one kernel depend on the frames of all: a closed connection is let go at the
 * first TCP segment after its minute, and a port is listened at from its first connection on.
 */
static void other_frame(player_t *pl, const rframe_t *f)
{
	uint16_t port = pl->pl_cpu == 0 ? plan_listens(pl->pl_plan, f->rf_num) : 0;
	bool due = flow_due(&pl->pl_flows, f->rf_time) && plan_tcp(pl->pl_plan, f->rf_num);

	pl->pl_last = f->rf_time;
	if (port == 0 && !due)
		return;
	come_to(pl, f->rf_time);
	if (due)
		flow_expire(&pl->pl_flows, f->rf_time);
	if (port != 0)
		conn_listen(pl, port, f->rf_num);
	player_settle(pl);
}

int player_run(player_t *pl, hrtime_t until)
{
	for (;;) {
		if (workload_interrupts != 0)
			return 0;
		fetch(pl);
		if (pl->pl_eof)
			break;
		if (pl->pl_frame.rf_time > until) {
			machine_run(until);
			return 0;
		}
		pl->pl_have = false;
		conn_hint(pl);
		if (pl->pl_frame.rf_other) {
			other_frame(pl, &pl->pl_frame);
			continue;
		}
		come_to(pl, pl->pl_frame.rf_time);
		play_frame(pl, &pl->pl_frame);
	}
	if (!pl->pl_finished) {
		pl->pl_finished = true;
		machine_run(pl->pl_last);
		if (__builtin_add_overflow(machine_now(), pl->pl_opts.linger, &pl->pl_end))
			pl->pl_end = INT64_MAX;
	}
	if (until < pl->pl_end) {
		machine_run(until);
		return event_next() == INT64_MAX;
	}
	(void)machine_run_idle(pl->pl_end);
	return 1;
}

hrtime_t player_next(player_t *pl)
{
	fetch(pl);
	return pl->pl_have ? pl->pl_frame.rf_time : pl->pl_finished ? pl->pl_end : machine_now();
}

static void on_tx(void *arg, const uchar_t *frame, size_t len, hrtime_t when)
{
	player_t *pl = arg;

	wirelog_frame(pl->pl_wire, frame, len, when);
}

static void say_host(const player_t *pl, uint64_t share, uint64_t all, uint32_t second, uint64_t secondshare)
{
	char a[RF_ADDRLEN], b[RF_ADDRLEN];

	if (pl->pl_host == 0) {
		fprintf(stderr, "strsim: no IPv4 in the capture: no frame is for the modelled host\n");
		return;
	}
	fprintf(stderr, "strsim: host %s, in %llu of %llu IPv4 packets", rf_ntop(pl->pl_host, a),
		(unsigned long long)share, (unsigned long long)all);
	if (second != 0)
		fprintf(stderr, " (next: %s, %llu; choose with --host)", rf_ntop(second, b),
			(unsigned long long)secondshare);
	fputc('\n', stderr);
}

static void say_offloaded(void *arg, uint32_t ip, sum_t sum, uint32_t bad, uint32_t all)
{
	static const char *const names[NSUMS] = {"IP header", "TCP", "UDP"};
	char a[RF_ADDRLEN];

	(void)arg;
	fprintf(stderr, "strsim: %s checksums of %s are not verified: %u of its first %u are wrong (offload)\n",
		names[sum], rf_ntop(ip, a), bad, all);
}

uint32_t replay_host(const char *text)
{
	uint32_t ip;

	return rf_pton(text, &ip) && census_unicast(ip) ? ip : 0;
}

static void drop_index(player_t *pl)
{
	if (pl->pl_index != NULL)
		index_destroy(pl->pl_index);
	pl->pl_index = NULL;
}

/* Read all there is; with one CPU the scout's marks are made on the way. */
static void read_all(player_t *pl)
{
	bool stopped;
	rframe_t f;
	int r;

	while (!(stopped = workload_interrupts != 0) && (r = source_next(pl->pl_src, READ_CENSUS, &f)) != 0) {
		if (r < 0)
			continue;
		census_frame(pl->pl_census, &f);
		if (pl->pl_index != NULL)
			index_add(pl->pl_index, &f);
	}
	if (pl->pl_index != NULL && (!index_finish(pl->pl_index) || stopped))
		drop_index(pl);
}

/* Read all there is (or, from a pipe, as far as the scout may go) and choose the host. */
static void take_census(player_t *pl)
{
	uint64_t share, all, secondshare;
	uint32_t second, chosen;

	if (source_seekable(pl->pl_src)) {
		read_all(pl);
	} else {
		scout_t *s = scout_create(pl->pl_src, 0, false);

		drop_index(pl);
		scout_ahead(s, 0, see_ahead, pl);
		scout_destroy(s);
		source_again(pl->pl_src);
	}
	chosen = census_host(pl->pl_census, &share, &all, &second, &secondshare);
	if (pl->pl_opts.host == NULL) {
		pl->pl_host = chosen;
		say_host(pl, share, all, second, secondshare);
	} else {
		pl->pl_host = replay_host(pl->pl_opts.host);
	}
	if (pl->pl_host != 0 && !census_mac(pl->pl_census, pl->pl_host, pl->pl_mac))
		rf_madeup_mac(pl->pl_host, pl->pl_mac);
	census_each_offloaded(pl->pl_census, say_offloaded, NULL);
}

static int open_source(player_t *pl, char *err, size_t errlen)
{
	pl->pl_src = source_open(pl->pl_opts.files, pl->pl_opts.nfiles, err, errlen);
	return pl->pl_src != NULL ? 0 : -1;
}

int player_census(player_t *pl, char *err, size_t errlen)
{
	if (open_source(pl, err, errlen) != 0)
		return -1;
	pl->pl_census = census_create();
	pl->pl_procs = proctab_create(pl->pl_opts.processes, err, errlen);
	if (pl->pl_procs == NULL)
		return -1;
	if (pl->pl_opts.wire != NULL && (pl->pl_wire = wirelog_open(pl->pl_opts.wire, err, errlen)) == NULL)
		return -1;
	pids_init(&pl->pl_pids, pl->pl_procs);
	take_census(pl);
	return 0;
}

/* What CPU 0 found out. */
static int follow_lead(player_t *pl, char *err, size_t errlen)
{
	const player_t *lead = pl->pl_lead;

	if (open_source(pl, err, errlen) != 0)
		return -1;
	pl->pl_census = lead->pl_census;
	pl->pl_procs = lead->pl_procs;
	pl->pl_host = lead->pl_host;
	memcpy(pl->pl_mac, lead->pl_mac, 6);
	return 0;
}

static void listen_early(void *arg, uint16_t port, uint64_t num)
{
	conn_listen(arg, port, num);
}

int player_start(player_t *pl, char *err, size_t errlen)
{
	if (pl->pl_lead != NULL && follow_lead(pl, err, errlen) != 0)
		return -1;
	if (pl->pl_plan != NULL)
		source_shard(pl->pl_src, pl->pl_plan, pl->pl_cpu);
	pl->pl_scout = scout_create(pl->pl_src, pl->pl_host, pl->pl_opts.writes_push != 0);
	if (pl->pl_index != NULL)
		scout_use(pl->pl_scout, pl->pl_index);
	machine_set_epoch(source_epoch(pl->pl_lead != NULL ? pl->pl_lead->pl_src : pl->pl_src));
	pl->pl_nic = nic_install(0);
	if (pl->pl_nic == NULL) {
		snprintf(err, errlen, "out of memory");
		return -1;
	}
	nic_set_rxmax(pl->pl_nic, 65535);
	if (pl->pl_wire != NULL) {
		wirelog_epoch(pl->pl_wire, source_epoch(pl->pl_src));
		(void)wire_listen(pl->pl_nic, on_tx, pl);
	}
	conn_init(pl);
	if (need_interface(pl, 0) != 0) {
		snprintf(err, errlen, "cannot plumb %s", IFNAME);
		return -1;
	}
	if (pl->pl_lead != NULL)
		plan_each_listener(pl->pl_plan, pl->pl_cpu, listen_early, pl);
	return 0;
}

/* ---- the account ---- */

static void say_classes(const account_t *a)
{
	static const char *const names[NACCT] = {"received",     "writes",    "sends",        "control",
						 "nothing new",  "fragments", "kernel's own", "not replayed",
						 "not playable", "foreign",   "dropped"};
	const char *sep = ": ";

	fprintf(stderr, "strsim: %llu frames", (unsigned long long)a->a_frames);
	for (int c = 0; c < NACCT; c++) {
		if (a->a_class[c] == 0)
			continue;
		fprintf(stderr, "%s%llu %s", sep, (unsigned long long)a->a_class[c], names[c]);
		sep = ", ";
	}
	fputc('\n', stderr);
	for (int b = RF_OK + 1; b < RF_NBAD; b++)
		if (a->a_bad[b] != 0)
			fprintf(stderr, "strsim: %llu frames dropped: %s\n", (unsigned long long)a->a_bad[b],
				rf_bad_name((rf_bad_t)b));
	for (int p = 0; p < 256; p++)
		if (a->a_notreplayed_proto[p] != 0)
			fprintf(stderr, "strsim: %llu packets of IP protocol %d not replayed\n",
				(unsigned long long)a->a_notreplayed_proto[p], p);
}

void player_say(const player_t *pl, const account_t *a)
{
	say_classes(a);
	if (a->a_tcp_conns != 0 || a->a_udp_ports != 0)
		fprintf(stderr,
			"strsim: %llu TCP connections (%llu adopted), %llu writes of %llu bytes, %llu bytes delivered; "
			"%llu UDP ports, %llu sends of %llu bytes, %llu datagrams of %llu bytes delivered\n",
			(unsigned long long)a->a_tcp_conns, (unsigned long long)a->a_tcp_adopted,
			(unsigned long long)a->a_writes, (unsigned long long)a->a_written,
			(unsigned long long)a->a_delivered, (unsigned long long)a->a_udp_ports,
			(unsigned long long)a->a_sends, (unsigned long long)a->a_sent,
			(unsigned long long)a->a_datagrams, (unsigned long long)a->a_dgrambytes);
	if (a->a_ping_procs != 0)
		fprintf(stderr, "strsim: %llu ping processes, %llu echo requests sent, %llu replies delivered\n",
			(unsigned long long)a->a_ping_procs, (unsigned long long)a->a_pings,
			(unsigned long long)a->a_replies);
	if (a->a_holes != 0)
		fprintf(
		    stderr, "strsim: capture loss: %llu holes, %llu bytes sent and %llu bytes received are not in it\n",
		    (unsigned long long)a->a_holes, (unsigned long long)a->a_sndlost, (unsigned long long)a->a_rcvlost);
	if (a->a_failed != 0)
		fprintf(stderr, "strsim: %llu system calls of the replay failed\n", (unsigned long long)a->a_failed);
	if (source_backwards(pl->pl_src) != 0)
		fprintf(stderr, "strsim: %llu time stamps go backwards, taken as equal to the last\n",
			(unsigned long long)source_backwards(pl->pl_src));
}

static void unplumb_job(void *arg)
{
	player_t *pl = arg;

	for (uint32_t i = 0; i < 4096; i++)
		if (pl->pl_ifindex[i] != 0)
			(void)ip_unplumb(IFNAME, i);
}

static void forget_network(player_t *pl)
{
	if (thread_create(unplumb_job, pl, 60) != NULL)
		player_settle(pl);
	ptab_fini(&pl->pl_stations);
}

static void close_wire(player_t *pl)
{
	char err[512];

	wire_unlisten(pl->pl_nic, on_tx, pl);
	if (wirelog_close(pl->pl_wire, err, sizeof(err)) != 0) {
		fprintf(stderr, "strsim: %s\n", err);
		pl->pl_failed = true;
	}
}

void player_stop(player_t *pl)
{
	if (pl->pl_scout == NULL)
		return;
	if (pl->pl_wire != NULL)
		close_wire(pl);
	conn_fini(pl);
	dgram_fini(pl);
	ping_fini(pl);
	forget_network(pl);
	scout_destroy(pl->pl_scout);
}

void player_destroy(player_t *pl)
{
	if (pl == NULL)
		return;
	if (pl->pl_lead == NULL && pl->pl_procs != NULL)
		proctab_destroy(pl->pl_procs);
	if (pl->pl_lead == NULL && pl->pl_census != NULL)
		census_destroy(pl->pl_census);
	drop_index(pl);
	if (pl->pl_src != NULL)
		source_close(pl->pl_src);
	if (pl->pl_frags != NULL)
		fragtab_destroy(pl->pl_frags);
	free(pl->pl_buf);
	free(pl->pl_iobuf);
	free(pl);
}

player_t *player_create(const replay_opts_t *opts)
{
	player_t *pl = calloc(1, sizeof(*pl));

	if (pl == NULL)
		return NULL;
	pl->pl_opts = *opts;
	pl->pl_progress = opts->progress > 0 || (opts->progress < 0 && isatty(STDERR_FILENO));
	pl->pl_frags = fragtab_create();
	pl->pl_buf = malloc(RF_MAXFRAME + 64);
	pl->pl_iobuf = malloc(IOBUFSZ);
	if (pl->pl_frags != NULL && pl->pl_buf != NULL && pl->pl_iobuf != NULL)
		return pl;
	player_destroy(pl);
	return NULL;
}

/* ---- the workload of one CPU ---- */

static int replay_setup(workload_t *w, char *err, size_t errlen)
{
	player_t *pl = w->w_data;

	/* runs of bytes that go into one write are put together out of the frames ahead */
	if (!pl->pl_opts.writes_push)
		pl->pl_index = index_create();
	return player_census(pl, err, errlen) != 0 ? -1 : player_start(pl, err, errlen);
}

static int replay_run(workload_t *w, hrtime_t until)
{
	return player_run(w->w_data, until);
}

static hrtime_t replay_next(workload_t *w)
{
	return player_next(w->w_data);
}

static int replay_finish(workload_t *w)
{
	player_t *pl = w->w_data;
	int status;

	player_stop(pl);
	if (pl->pl_scout != NULL)
		player_say(pl, &pl->pl_acct);
	status = pl->pl_failed ? 1 : 0;
	player_destroy(pl);
	free(w);
	return status;
}

void replay_on_conn(workload_t *w, void (*f)(void *, const replay_conn_t *), void *arg)
{
	player_t *pl = w->w_data;

	pl->pl_onconn = f;
	pl->pl_onconn_arg = arg;
}

workload_t *replay_create(const replay_opts_t *opts)
{
	workload_t *w = calloc(1, sizeof(*w));
	player_t *pl = player_create(opts);

	if (w == NULL || pl == NULL) {
		free(w);
		player_destroy(pl);
		return NULL;
	}
	w->w_name = "replay";
	w->w_setup = replay_setup;
	w->w_run = replay_run;
	w->w_next = replay_next;
	w->w_finish = replay_finish;
	w->w_data = pl;
	return w;
}
