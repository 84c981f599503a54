#include "replay/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/frag.h"
#include "replay/player.h"
#include "replay/scout.h"
#include "replay/source.h"

/* What is kept of a frame. */
#define PF_CPU 0x3f
#define PF_LISTEN 0x40 /* a port is listened at from here on, first on CPU 0 */
#define PF_TCP 0x80

#define ETHERTYPE_ARP 0x0806

/* A set of what must stay together: those with the same root.  Element 0 is what must be on CPU 0. */
typedef struct elem {
	uint32_t e_up; /* towards the root, which is its own */
	int e_cpu;
	uint64_t e_frames;
	bool e_icmp; /* some of it is ICMP */
} elem_t;

/* The element of a peer, of a UDP port of the host's, or of a VLAN instance. */
typedef enum { EK_PEER, EK_PORT, EK_VLAN } ekind_t;
typedef struct name {
	uint32_t n_key[2]; /* ekind_t; address, port or instance */
	uint32_t n_elem;
	UT_hash_handle hh;
} name_t;

typedef struct pflow {
	flow_t pf_flow; /* first */
	facts_t *pf_facts;
} pflow_t;

/* A pid, by what appears (a pidkind_t) and the frame it appears with. */
typedef struct ppid {
	uint64_t pp_key[2];
	int pp_pid;
	uint16_t pp_port; /* of a listener, and of what it accepts; else 0 */
	uint32_t pp_elem;
	UT_hash_handle hh;
} ppid_t;

/* A port of the host: it has a process since that frame; it is listened at on these CPUs. */
typedef struct pport {
	uint32_t po_key[3]; /* pidkind_t, VLAN instance, port */
	uint64_t po_num;
	uint64_t po_cpus;
	UT_hash_handle hh;
} pport_t;

/* A ping of the host's: it has a process until PING_TIMEOUT after its last request. */
typedef struct pping {
	uint32_t pg_key[3]; /* VLAN instance, destination, identifier */
	int64_t pg_last;
	UT_hash_handle hh;
} pping_t;

struct plan {
	int p_ncpu;
	uint32_t p_host;
	const census_t *p_census;
	pids_t p_pids;
	uint8_t *p_frames;
	uint64_t p_n, p_max;
	ppid_t *p_bykey;
	pport_t *p_ports;
	/* while it is made */
	source_t *p_src;
	scout_t *p_scout;
	fragtab_t *p_frags;
	flowtab_t p_flows;
	uint32_t *p_of; /* elements of the frames */
	elem_t *p_elems;
	uint32_t p_nelems, p_maxelems;
	name_t *p_names;
	pping_t *p_pings;
	bool p_many; /* a ping asks more than one host: it hears all ICMP */
};

static void *must(void *mem)
{
	if (mem == NULL) {
		fprintf(stderr, "strsim: out of memory\n");
		exit(1);
	}
	return mem;
}

/* ---- what is kept ---- */

static uint8_t *frame_of(const plan_t *p, uint64_t num)
{
	return &p->p_frames[num - 1];
}

static void add_frame(plan_t *p, uint64_t num)
{
	while (p->p_max < num) {
		uint64_t max = p->p_max != 0 ? 2 * p->p_max : 65536;

		p->p_frames = must(realloc(p->p_frames, max));
		p->p_of = must(realloc(p->p_of, max * sizeof(*p->p_of)));
		memset(p->p_frames + p->p_max, 0, max - p->p_max);
		memset(p->p_of + p->p_max, 0, (max - p->p_max) * sizeof(*p->p_of));
		p->p_max = max;
	}
	p->p_n = num;
}

static ppid_t *find_pid(const plan_t *p, pidkind_t kind, uint64_t num)
{
	uint64_t key[2] = {kind, num};
	ppid_t *pp;

	HASH_FIND(hh, p->p_bykey, key, sizeof(key), pp);
	return pp;
}

/* The process of this kind that appears with frame num: its pid is from the table, or the next free one. */
static ppid_t *add_pid(plan_t *p, pidkind_t kind, uint64_t num, const proc_want_t *want)
{
	char psargs[PSARGSZ];
	int pid = proctab_name(p->p_pids.pi_tab, want, psargs, sizeof(psargs));
	ppid_t *pp = must(calloc(1, sizeof(*pp)));

	pp->pp_key[0] = kind;
	pp->pp_key[1] = num;
	pp->pp_pid = pid != 0 ? pid : pids_take(&p->p_pids, kind);
	HASH_ADD(hh, p->p_bykey, pp_key, sizeof(pp->pp_key), pp);
	return pp;
}

static pport_t *port_of(plan_t *p, pidkind_t kind, uint32_t inst, uint16_t port)
{
	uint32_t key[3] = {kind, inst, port};
	pport_t *po;

	HASH_FIND(hh, p->p_ports, key, sizeof(key), po);
	if (po != NULL)
		return po;
	po = must(calloc(1, sizeof(*po)));
	memcpy(po->po_key, key, sizeof(key));
	HASH_ADD(hh, p->p_ports, po_key, sizeof(po->po_key), po);
	return po;
}

/* ---- what must stay together ---- */

static uint32_t new_elem(plan_t *p)
{
	if (p->p_nelems == p->p_maxelems) {
		p->p_maxelems = p->p_maxelems != 0 ? 2 * p->p_maxelems : 256;
		p->p_elems = must(realloc(p->p_elems, p->p_maxelems * sizeof(*p->p_elems)));
	}
	p->p_elems[p->p_nelems] = (elem_t){.e_up = p->p_nelems};
	return p->p_nelems++;
}

static uint32_t elem_of(plan_t *p, ekind_t kind, uint32_t what)
{
	uint32_t key[2] = {kind, what};
	name_t *n;

	HASH_FIND(hh, p->p_names, key, sizeof(key), n);
	if (n == NULL) {
		n = must(calloc(1, sizeof(*n)));
		memcpy(n->n_key, key, sizeof(key));
		n->n_elem = new_elem(p);
		HASH_ADD(hh, p->p_names, n_key, sizeof(n->n_key), n);
	}
	return n->n_elem;
}

static uint32_t root(plan_t *p, uint32_t e)
{
	elem_t *elems = p->p_elems;

	while (elems[e].e_up != e) {
		elems[e].e_up = elems[elems[e].e_up].e_up;
		e = elems[e].e_up;
	}
	return e;
}

/* The lower number becomes the root: element 0 stays one. */
static void join(plan_t *p, uint32_t a, uint32_t b)
{
	a = root(p, a);
	b = root(p, b);
	if (a < b)
		p->p_elems[b].e_up = a;
	else
		p->p_elems[a].e_up = b;
}

/* ---- connections ---- */

static void add_listener(plan_t *p, const fkey_t *k, uint64_t num)
{
	pport_t *po = port_of(p, PID_LISTENER, k->fk_inst, k->fk_hport);
	proc_want_t want = {"tcp", k->fk_hport, 0, true, 0};

	if (po->po_num != 0)
		return;
	po->po_num = num;
	add_pid(p, PID_LISTENER, num, &want)->pp_port = k->fk_hport;
	if (k->fk_inst == 0)
		*frame_of(p, num) |= PF_LISTEN;
}

static void begin_flow(plan_t *p, pflow_t *pf, int side, const rframe_t *f, uint32_t e)
{
	const fkey_t *k = &pf->pf_flow.f_key;
	proc_want_t want = {"tcp", k->fk_hport, k->fk_pport, false, k->fk_paddr};
	begin_t b;
	ppid_t *pp;

	pf->pf_facts = scout_facts(p->p_scout, pf->pf_flow.f_first);
	b = pf->pf_facts != NULL ? conn_beginning(pf->pf_facts, side, f) : BEGIN_NONE;
	if (b == BEGIN_NONE) {
		if (k->fk_inst == 0)
			join(p, e, 0);
		return;
	}
	pp = add_pid(p, PID_CONN, pf->pf_flow.f_first, &want);
	pp->pp_elem = e;
	if (b != BEGIN_ACCEPT)
		return;
	pp->pp_port = k->fk_inst == 0 ? k->fk_hport : 0;
	add_listener(p, k, f->rf_num);
}

static void flow_over(void *arg, flow_t *f)
{
	plan_t *p = arg;
	pflow_t *pf = (pflow_t *)f;

	if (pf->pf_facts != NULL)
		scout_forget(p->p_scout, pf->pf_facts);
}

/* The views in the player's order. */
static void plan_segment(plan_t *p, uint32_t inst, const rframe_t *f, uint32_t e)
{
	view_t v[2];

	for (int i = host_views(p->p_host, inst, f, v) - 1; i >= 0; i--) {
		rframe_t copy;
		pflow_t *pf;
		bool isnew;

		*frame_of(p, f->rf_num) |= PF_TCP;
		pf = (pflow_t *)flow_step(&p->p_flows, &v[i].v_key, v[i].v_side, view_frame(f, i, &copy), &isnew);
		if (pf != NULL && isnew)
			begin_flow(p, pf, v[i].v_side, f, e);
	}
}

/* ---- datagrams ---- */

static void plan_datagram(plan_t *p, uint32_t inst, const rframe_t *f, uint32_t e)
{
	bool sent = f->rf_ipsrc == p->p_host;
	uint16_t port = sent ? f->rf_sport : f->rf_dport, rport = sent ? f->rf_dport : f->rf_sport;
	proc_want_t want = {"udp", port, rport, port < 1024 || port < rport, sent ? f->rf_ipdst : f->rf_ipsrc};
	pport_t *po;

	if (!sent && !census_udp_port(p->p_census, p->p_host, port)) {
		if (inst == 0 && f->rf_ipdst == p->p_host)
			join(p, e, 0);
		return;
	}
	if (inst == 0)
		join(p, e, elem_of(p, EK_PORT, port));
	if (inst == 0 && f->rf_ipsrc == f->rf_ipdst)
		join(p, e, elem_of(p, EK_PORT, rport));
	po = port_of(p, PID_PORT, inst, port);
	if (po->po_num != 0)
		return;
	po->po_num = f->rf_num;
	add_pid(p, PID_PORT, f->rf_num, &want);
}

/* ---- ICMP ---- */

/* Its process appears with its first request, and again after a pause. */
static void plan_ping(plan_t *p, uint32_t inst, const rframe_t *f)
{
	uint32_t key[3] = {inst, f->rf_ipdst, rf_be16(f->rf_l4 + 4)};
	proc_want_t want = {"icmp", (uint16_t)key[2], 0, false, key[1]};
	pping_t *g;

	HASH_FIND(hh, p->p_pings, key, sizeof(key), g);
	if (g == NULL || f->rf_time - g->pg_last > PING_TIMEOUT)
		add_pid(p, PID_PORT, f->rf_num, &want);
	if (g == NULL) {
		g = must(calloc(1, sizeof(*g)));
		memcpy(g->pg_key, key, sizeof(key));
		HASH_ADD(hh, p->p_pings, pg_key, sizeof(g->pg_key), g);
	}
	g->pg_last = f->rf_time;
	p->p_many |= inst == 0 && !ping_one_host(p->p_host, f->rf_ipdst);
}

/* When a ping hears all ICMP, it is on CPU 0, and so is what it may hear. */
static void gather_icmp(plan_t *p)
{
	for (uint32_t e = 0; p->p_many && e < p->p_nelems; e++)
		if (p->p_elems[e].e_icmp)
			join(p, e, 0);
}

/* An ICMP error goes where the packet goes that it quotes. */
static void plan_icmp(plan_t *p, uint32_t inst, const rframe_t *f, uint32_t e)
{
	const uint8_t *icmp = f->rf_l4;
	uint32_t src, dst;

	p->p_elems[e].e_icmp = true;
	if (f->rf_ipsrc == p->p_host && ping_request(f) && f->rf_l4cap >= 8)
		plan_ping(p, inst, f);
	if (inst != 0 || f->rf_off != 0 || f->rf_l4cap < 8 + 20 || icmp[0] == 0 || icmp[0] == 8 || icmp[0] > 12)
		return;
	memcpy(&src, icmp + 8 + 12, 4);
	memcpy(&dst, icmp + 8 + 16, 4);
	if (src == p->p_host)
		join(p, e, elem_of(p, EK_PEER, dst));
}

/* ---- frames ---- */

static void plan_whole(plan_t *p, uint32_t inst, const rframe_t *f, uint32_t e)
{
	if (f->rf_tcp)
		plan_segment(p, inst, f, e);
	else if (f->rf_udp)
		plan_datagram(p, inst, f, e);
	else if (f->rf_proto == 1)
		plan_icmp(p, inst, f, e);
	else if (inst == 0 && f->rf_proto != 2 && f->rf_ipsrc != p->p_host)
		join(p, e, 0);
}

/* An ARP packet goes where its sender is. */
static uint32_t plan_not_ip(plan_t *p, const rframe_t *f)
{
	uint32_t sender;

	if (f->rf_type != ETHERTYPE_ARP || f->rf_netcap < 28)
		return 0;
	memcpy(&sender, f->rf_net + 14, 4);
	return sender != 0 && sender != p->p_host ? elem_of(p, EK_PEER, sender) : 0;
}

static uint32_t plan_frame(plan_t *p, rframe_t *f)
{
	int inst = vlan_instance(p->p_scout, f);
	uint32_t e = inst > 0 ? elem_of(p, EK_VLAN, (uint32_t)inst) : 0;

	if (inst < 0 || p->p_host == 0 || f->rf_bad != RF_OK)
		return e;
	if (!f->rf_ip)
		return inst == 0 ? plan_not_ip(p, f) : e;
	if (f->rf_ipsrc != p->p_host && f->rf_ipdst != p->p_host && !(f->rf_dst[0] & 1))
		return e;
	if (inst == 0 && f->rf_ipsrc != f->rf_ipdst)
		e = elem_of(p, EK_PEER, f->rf_ipsrc == p->p_host ? f->rf_ipdst : f->rf_ipsrc);
	if (!rf_isfrag(f) || (fragtab_add(p->p_frags, f) && f->rf_bad == RF_OK))
		plan_whole(p, (uint32_t)inst, f, e);
	return e;
}

static void walk(plan_t *p)
{
	rframe_t f;
	int r;

	while ((r = source_next(p->p_src, READ_PLAY, &f)) != 0) {
		uint32_t e;

		if (r < 0)
			continue; /* the player reports it */
		scout_ahead(p->p_scout, f.rf_num, NULL, NULL);
		add_frame(p, f.rf_num);
		e = plan_frame(p, &f);
		p->p_of[f.rf_num - 1] = e;
		p->p_elems[e].e_frames++;
	}
}

/* ---- sharing out ---- */

static int by_frames(const void *a, const void *b)
{
	const elem_t *x = *(const elem_t *const *)a, *y = *(const elem_t *const *)b;

	if (x->e_frames != y->e_frames)
		return x->e_frames < y->e_frames ? 1 : -1;
	return x < y ? -1 : 1;
}

/* The roots, greatest first, each to the CPU that has least; what must be on CPU 0 is there already. */
static void share_out(plan_t *p)
{
	const elem_t **roots = must(malloc(p->p_nelems * sizeof(elem_t *)));
	uint64_t load[PLAN_MAXCPU] = {0};
	size_t n = 0;

	for (uint32_t e = 0; e < p->p_nelems; e++) {
		uint32_t r = root(p, e);

		if (r != e)
			p->p_elems[r].e_frames += p->p_elems[e].e_frames;
		else if (r != 0)
			roots[n++] = &p->p_elems[r];
	}
	qsort(roots, n, sizeof(*roots), by_frames);
	load[0] = p->p_elems[0].e_frames;
	for (size_t i = 0; i < n; i++) {
		int least = 0;

		for (int cpu = 1; cpu < p->p_ncpu; cpu++)
			if (load[cpu] < load[least])
				least = cpu;
		p->p_elems[roots[i]->e_up].e_cpu = least;
		load[least] += roots[i]->e_frames;
	}
	free(roots);
}

static void note_cpus(plan_t *p)
{
	for (uint64_t i = 0; i < p->p_n; i++)
		p->p_frames[i] |= (uint8_t)p->p_elems[root(p, p->p_of[i])].e_cpu;
	for (const ppid_t *pp = p->p_bykey; pp != NULL; pp = pp->hh.next)
		if (pp->pp_key[0] == PID_CONN && pp->pp_port != 0)
			port_of(p, PID_LISTENER, 0, pp->pp_port)->po_cpus |= 1ULL
									     << p->p_elems[root(p, pp->pp_elem)].e_cpu;
}

static void forget_work(plan_t *p)
{
	name_t *n, *nt;
	pping_t *g, *gt;

	flowtab_fini(&p->p_flows);
	HASH_ITER(hh, p->p_names, n, nt)
	{
		HASH_DEL(p->p_names, n);
		free(n);
	}
	HASH_ITER(hh, p->p_pings, g, gt)
	{
		HASH_DEL(p->p_pings, g);
		free(g);
	}
	free(p->p_elems);
	free(p->p_of);
	fragtab_destroy(p->p_frags);
	scout_destroy(p->p_scout);
	source_close(p->p_src);
}

plan_t *plan_create(const replay_opts_t *opts, const census_t *census, uint32_t host, const proctab_t *tab, char *err,
		    size_t errlen)
{
	plan_t *p = must(calloc(1, sizeof(*p)));

	p->p_ncpu = opts->ncpu;
	p->p_host = host;
	p->p_census = census;
	pids_init(&p->p_pids, tab);
	p->p_src = source_open(opts->files, opts->nfiles, err, errlen);
	if (p->p_src == NULL) {
		free(p);
		return NULL;
	}
	p->p_scout = must(scout_create(p->p_src, host, false));
	p->p_frags = must(fragtab_create());
	flowtab_init(&p->p_flows, sizeof(pflow_t), flow_over, p);
	(void)new_elem(p);
	walk(p);
	gather_icmp(p);
	share_out(p);
	note_cpus(p);
	forget_work(p);
	return p;
}

void plan_destroy(plan_t *p)
{
	ppid_t *pp, *pt;
	pport_t *po, *ot;

	HASH_ITER(hh, p->p_bykey, pp, pt)
	{
		HASH_DEL(p->p_bykey, pp);
		free(pp);
	}
	HASH_ITER(hh, p->p_ports, po, ot)
	{
		HASH_DEL(p->p_ports, po);
		free(po);
	}
	free(p->p_frames);
	free(p);
}

/* ---- what players ask ---- */

int plan_cpu(const plan_t *p, uint64_t num)
{
	return num <= p->p_n ? *frame_of(p, num) & PF_CPU : 0;
}

bool plan_tcp(const plan_t *p, uint64_t num)
{
	return num <= p->p_n && (*frame_of(p, num) & PF_TCP);
}

int plan_pid(const plan_t *p, pidkind_t kind, uint64_t num)
{
	const ppid_t *pp = find_pid(p, kind, num);

	return pp != NULL ? pp->pp_pid : 0;
}

uint16_t plan_listens(const plan_t *p, uint64_t num)
{
	const ppid_t *pp;

	if (num > p->p_n || !(*frame_of(p, num) & PF_LISTEN))
		return 0;
	pp = find_pid(p, PID_LISTENER, num);
	return pp != NULL ? pp->pp_port : 0;
}

void plan_each_listener(const plan_t *p, int cpu, void (*f)(void *, uint16_t port, uint64_t num), void *arg)
{
	for (const pport_t *po = p->p_ports; po != NULL; po = po->hh.next)
		if (po->po_key[0] == PID_LISTENER && (po->po_cpus & 1ULL << cpu))
			f(arg, (uint16_t)po->po_key[2], po->po_num);
}
