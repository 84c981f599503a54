/* Who calls putnext in the keyboard and the mouse, to the bottom of every stack. */
#include "tests/inputtest.h"
#include "tests/dif_asm.h"

#define DEPTH 20

static dtrace_state_t *st;
static clause_t putnexts;
static prog_t arg0;

static void start(void)
{
	dtrace_conf_t conf;
	char err[256];

	it_plumb();
	cr_assert_eq(dtrace_init(err, sizeof(err)), 0, "%s", err);
	dtrace_conf_default(&conf);
	st = dtrace_state_create(&conf);
	cr_assert_eq(dtrace_state_vars(st, NULL, 0), 0);
}

static void finish(void)
{
	dtrace_state_destroy(st);
	it_halt();
	dtrace_fini();
}

TestSuite(inputstack, .init = start, .fini = finish);

static void trace(void)
{
	char err[256];

	(void)on(&putnexts, "fbt", "unix", "putnext", "entry");
	(void)record(&putnexts, builtin(&arg0, DIF_VAR_ARG0), DIF_INT, 8);
	(void)stack_of(&putnexts, DEPTH);
	cr_assert_geq(dtrace_enable(st, &putnexts.desc, err, sizeof(err)), 1, "%s", err);
	cr_assert_eq(dtrace_go(st, err, sizeof(err)), 0, "%s", err);
}

/* Of each putnext: "module: callers"; call sites are told apart by their order of first appearance. */
static char seen[16][1024];
static uint64_t sites[16];
static int nseen;

static int see(void *arg, const dtrace_rec_t *r)
{
	uint64_t rec[1 + DEPTH];
	const queue_t *q;
	size_t n;

	(void)arg;
	cr_assert_not(r->r_error);
	cr_assert_lt(nseen, 16);
	memcpy(rec, r->r_data + 8, sizeof(rec));
	q = (const queue_t *)(uintptr_t)rec[0];
	n = (size_t)snprintf(seen[nseen], sizeof(seen[0]), "%s:", q->q_qinfo->qi_minfo->mi_idname);
	for (int i = 0; i < DEPTH && rec[1 + i] != 0; i++) {
		const ksym_t *ks = ksym_byaddr(rec[1 + i]);

		n += (size_t)snprintf(seen[nseen] + n, sizeof(seen[0]) - n, " %s`%s", ksym_mod(ks), ksym_name(ks));
	}
	sites[nseen++] = rec[2];
	return 0;
}

static void consume(void)
{
	nseen = 0;
	cr_assert_eq(dtrace_consume(st, 0, see, NULL), 0);
}

/* An X server's descriptors, made before tracing; what it does when told. */
static int64_t kbd, mouse;
static int command;

static void server(void *unused)
{
	int val = TR_UNTRANS_EVENT;

	(void)unused;
	kbd = U_OPEN("/dev/kbd", O_RDWR);
	mouse = U_OPEN("/dev/mouse", O_RDWR);
	OK(U_IOCTL(kbd, KIOCTRANS, &val), 0);
	val = 1;
	OK(U_IOCTL(kbd, KIOCSDIRECT, &val), 0);
	u_sleep_ms(1000);
	if (command != 0)
		OK(U_IOCTL(kbd, KIOCCMD, &command), 0);
	u_sleep_ms(1000);
}

static proc_t *start_server(int cmd)
{
	proc_t *p;

	command = cmd;
	p = u_start(server, NULL);
	machine_run(machine_now() + 500 * MS);
	trace();
	return p;
}

static void end_server(proc_t *p)
{
	dtrace_stop(st);
	proc_exit(p);
	machine_run(machine_now() + 2000 * MS);
}

#define INTR " i8042`i8042_intr unix`intr_thread"
#define TASK " genunix`runservice genunix`queue_service genunix`stream_service genunix`taskq_d_thread"
#define PRESS                                                                                           \
	" kbtrans`kbtrans_queueevent kbtrans`kbtrans_queuepress kbtrans`kbtrans_untrans_keypressed_raw" \
	" kbtrans`kbtrans_processkey kbtrans`kbtrans_streams_key"
#define RELEASE                                                                                           \
	" kbtrans`kbtrans_queueevent kbtrans`kbtrans_keyreleased kbtrans`kbtrans_untrans_keyreleased_raw" \
	" kbtrans`kbtrans_processkey kbtrans`kbtrans_streams_key"
#define KEY " kb8042`kb8042_process_key kb8042`kb8042_received_byte kb8042`kb8042_intr" INTR

Test(inputstack, keys)
{
	proc_t *p = start_server(0);

	ps2_key_bytes((const uint8_t *)"\x1e\x9e", 2);
	machine_run(machine_now() + 10 * MS);
	consume();
	cr_assert_eq(nseen, 4);
	cr_assert_str_eq(seen[0], "kb8042:" PRESS KEY);
	cr_assert_str_eq(seen[1], "conskbd:" PRESS " conskbd`conskbdlrput unix`putnext" PRESS KEY);
	cr_assert_str_eq(seen[2], "kb8042:" RELEASE KEY);
	cr_assert_str_eq(seen[3], "conskbd:" RELEASE " conskbd`conskbdlrput unix`putnext" RELEASE KEY);
	end_server(p);
}

#define SRV " vuid3ps2`vuidmice_rsrv" TASK

Test(inputstack, mouse)
{
	proc_t *p = start_server(0);
	uint64_t x, y;

	ps2_mouse_move(5, 3, 0);
	machine_run(machine_now() + 20 * MS);
	consume();
	cr_assert_eq(nseen, 7);
	for (int i = 0; i < 3; i++)
		cr_assert_str_eq(seen[i], "mouse8042: mouse8042`mouse8042_intr" INTR);
	cr_assert_str_eq(seen[3], "vuid3ps2: vuid3ps2`vuid3ps2_putnext vuid3ps2`vuid3ps2" SRV);
	cr_assert_str_eq(seen[4], "consms: consms`consmslrput unix`putnext vuid3ps2`vuid3ps2_putnext"
				  " vuid3ps2`vuid3ps2" SRV);
	cr_assert_str_eq(seen[5], seen[3]);
	cr_assert_str_eq(seen[6], seen[4]);
	x = sites[3];
	y = sites[5];
	cr_assert_neq(x, y, "each axis has a call site of its own");
	ps2_mouse_buttons(1);
	machine_run(machine_now() + 20 * MS);
	consume();
	cr_assert_eq(nseen, 5);
	cr_assert_str_eq(seen[1], "vuid3ps2: vuid3ps2`vuid3ps2_putnext vuid3ps2`sendButtonEvent vuid3ps2`vuid3ps2" SRV);
	cr_assert_str_eq(seen[2], "consms: consms`consmslrput unix`putnext vuid3ps2`vuid3ps2_putnext"
				  " vuid3ps2`sendButtonEvent vuid3ps2`vuid3ps2" SRV);
	ps2_mouse_buttons(0);
	machine_run(machine_now() + 20 * MS);
	consume();
	cr_assert_eq(nseen, 5);
	end_server(p);
}

Test(inputstack, bell)
{
	proc_t *p = start_server(KBD_CMD_BELL);

	machine_run(machine_now() + 1000 * MS);
	consume();
	cr_assert_eq(nseen, 4);
	cr_assert_str_eq(seen[0], "strwhead: genunix`strdoioctl genunix`strioctl specfs`spec_ioctl genunix`fop_ioctl"
				  " genunix`ioctl unix`sys_sysenter");
	cr_assert_str_eq(seen[1], "conskbd: conskbd`conskbdlwserv" TASK);
#define ACK " genunix`qreply genunix`miocack kb8042`kb8042_ioctlmsg kb8042`kb8042_wsrv" TASK
	cr_assert_str_eq(seen[2], "kb8042:" ACK);
	cr_assert_str_eq(seen[3], "conskbd: genunix`qreply conskbd`conskbd_mux_upstream_msg"
				  " conskbd`conskbd_lqs_ack_complete conskbd`conskbdlrput unix`putnext" ACK);
	cr_assert(ps2_speaker());
	end_server(p);
}
