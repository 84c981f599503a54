/*
 * strsim stream: the streams that are open at one moment of a scenario, as a
 * picture.
 *
 * A stream is drawn from the head down to the driver, a row a module, the
 * write queue at the left and the read queue at the right: bytes that wait,
 * the high-water mark, and what is remarkable about the queue.  A stream
 * linked below a multiplexing driver follows it, indented.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consumer/msg.h"
#include "genunix/strhead.h"
#include "machine/machine.h"
#include "scenario/scenario.h"
#include "sys/socketvar.h"

#define OWNERS_MAX 256

/* Who has a stream open, in words. */
static void owners(const stdata_t *stp, char *buf, size_t len)
{
	size_t n = 0;

	buf[0] = '\0';
	for (proc_t *p = proc_next(NULL); p; p = proc_next(p)) {
		for (int fd = 0; fd < p->p_nfd; fd++) {
			const file_t *fp = p->p_fd[fd];

			if (!fp || fp->f_vnode->v_stream != stp || n + 1 >= len)
				continue;
			n += (size_t)snprintf(buf + n, len - n, "%s%s %d fd %d", n ? ", " : "", p->p_user.u_comm,
					      p->p_pid, fd);
		}
	}
}

/* What kind of file leads to it. */
static const char *stream_name(const stdata_t *stp)
{
	const vnode_t *vp = stp->sd_vnode;

	if (vp->v_path)
		return vp->v_path;
	switch (vp->v_type) {
	case VSOCK:
		return "socket";
	case VFIFO:
		return "pipe";
	default:
		return "device";
	}
}

/* ---- one stream, as rows ---- */

/* The state of a queue in words; "" when it is idle. */
static void queue_words(const queue_t *q, char *buf, size_t len)
{
	static const struct {
		uint_t flag;
		const char *word;
	} words[] = {{QFULL, "full"}, {QWANTW, "writer waits"}, {QENAB, "enabled"}, {QNOENB, "held"}};
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (q->q_flag & words[i].flag)
			n += (size_t)snprintf(buf + n, len - n, "%s%s", n ? ", " : "", words[i].word);
	}
	if (q->q_sqhead)
		(void)snprintf(buf + n, len - n, "%s%zu deferred", n ? ", " : "", q->q_syncqmsgs);
}

static void queue_text(const queue_t *q, char *buf, size_t len)
{
	char words[64];

	queue_words(q, words, sizeof(words));
	if (q->q_count == 0 && q->q_hiwat == 0 && !words[0])
		(void)snprintf(buf, len, "-");
	else
		(void)snprintf(buf, len, "%zu/%zu%s%s", q->q_count, q->q_hiwat, words[0] ? " " : "", words);
}

/* A module's name; the head of a stream and the end below a multiplexor are called what they are. */
static const char *row_name(const stdata_t *stp, const queue_t *wq)
{
	if (wq != stp->sd_wrq)
		return wq->q_qinfo->qi_minfo->mi_idname;
	return stp->sd_flag & STPLEX ? "lower end" : "stream head";
}

static void print_rows(const stdata_t *stp, int indent)
{
	for (const queue_t *wq = stp->sd_wrq; wq; wq = SAMESTR(wq) ? wq->q_next : NULL) {
		char w[96], r[96];

		queue_text(wq, w, sizeof(w));
		queue_text(_RD(wq), r, sizeof(r));
		printf("%*s%-28s  %-14s  %s\n", indent, "", w, row_name(stp, wq), r);
	}
}

static void print_stream(const stdata_t *stp, int indent)
{
	char who[OWNERS_MAX];

	owners(stp, who, sizeof(who));
	printf("%*s%s%s%s\n", indent, "", stream_name(stp), who[0] ? ": " : "", who);
	print_rows(stp, indent + 4);
	if (stp->sd_mate && stp->sd_mate != stp) {
		owners(stp->sd_mate, who, sizeof(who));
		printf("%*s(the other end: %s)\n", indent + 4, "", who[0] ? who : "nobody");
	}
	for (const stdata_t *low = mux_next_lower(stp->sd_strtab, NULL); low;
	     low = mux_next_lower(stp->sd_strtab, low)) {
		printf("%*sbelow it is linked\n", indent + 4, "");
		print_stream(low, indent + 8);
	}
}

/* ---- all of them ---- */

typedef struct streams {
	const stdata_t **list;
	size_t n;
} streams_t;

/* The oldest first; those that are linked below others are shown there. */
static streams_t collect(void)
{
	streams_t s = {NULL, 0};
	size_t n = 0;

	for (const stdata_t *stp = stream_list; stp; stp = stp->sd_next)
		n++;
	s.list = calloc(n + 1, sizeof(*s.list));
	if (!s.list)
		msg_fatal("out of memory\n");
	for (const stdata_t *stp = stream_list; stp; stp = stp->sd_next) {
		if (!(stp->sd_flag & STPLEX))
			s.list[s.n++] = stp;
	}
	for (size_t i = 0; i < s.n / 2; i++) {
		const stdata_t *t = s.list[i];

		s.list[i] = s.list[s.n - 1 - i];
		s.list[s.n - 1 - i] = t;
	}
	return s;
}

static bool wanted(const stdata_t *stp, bool all)
{
	char who[OWNERS_MAX];

	owners(stp, who, sizeof(who));
	return all || who[0];
}

static void print_all(bool all)
{
	streams_t s = collect();

	printf("at %.9f s%*s%-28s  %-14s  %s\n", (double)machine_now() / 1e9, 0, "\n    ", "write: bytes/high water",
	       "module", "read: bytes/high water");
	for (size_t i = 0; i < s.n; i++) {
		if (wanted(s.list[i], all)) {
			printf("\n");
			print_stream(s.list[i], 0);
		}
	}
	free(s.list);
}

/* ---- SVG ---- */

#define COLUMN 380
#define BOX (COLUMN - 40)
#define SIDE 110 /* width of a queue's part of a box */
#define ROW 46
#define MARGIN 20

/* Bytes, state, and a bar that is as long as the queue is full. */
static void svg_queue(FILE *f, const queue_t *q, int x, int y)
{
	double part = q->q_hiwat ? (double)q->q_count / (double)q->q_hiwat : 0;
	char words[64];

	if (q->q_count == 0 && q->q_hiwat == 0)
		return;
	queue_words(q, words, sizeof(words));
	fprintf(f, "<text x='%d' y='%d' font-size='11'>%zu/%zu</text>\n", x, y + 14, q->q_count, q->q_hiwat);
	fprintf(f, "<text x='%d' y='%d' font-size='10' fill='#c0392b'>%s</text>\n", x, y + 26, words);
	fprintf(f, "<rect x='%d' y='%d' width='%d' height='5' fill='#eee'/>\n", x, y + 30, SIDE);
	fprintf(f, "<rect x='%d' y='%d' width='%.1f' height='5' fill='%s'/>\n", x, y + 30, SIDE * MIN(part, 1.0),
		q->q_flag & QFULL ? "#c0392b" : "#2e86c1");
}

static void svg_text(FILE *f, int x, int y, const char *text)
{
	fprintf(f, "<text x='%d' y='%d'>", x, y);
	for (; *text; text++) {
		if (*text == '<' || *text == '&')
			fprintf(f, "&#%d;", *text);
		else
			fputc(*text, f);
	}
	fprintf(f, "</text>\n");
}

/* Returns the y below it. */
static int svg_stream(FILE *f, const stdata_t *stp, int x, int y)
{
	char who[OWNERS_MAX];

	owners(stp, who, sizeof(who));
	svg_text(f, x, y, stream_name(stp));
	svg_text(f, x, y + 14, who);
	y += 24;
	for (const queue_t *wq = stp->sd_wrq; wq; wq = SAMESTR(wq) ? wq->q_next : NULL) {
		fprintf(f, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#444'/>\n", x, y, BOX,
			ROW - 6);
		svg_queue(f, wq, x + 6, y);
		svg_queue(f, _RD(wq), x + BOX - SIDE - 6, y);
		fprintf(f, "<text x='%d' y='%d' text-anchor='middle' font-weight='bold'>%s</text>\n", x + BOX / 2,
			y + 24, row_name(stp, wq));
		y += ROW;
	}
	for (const stdata_t *low = mux_next_lower(stp->sd_strtab, NULL); low;
	     low = mux_next_lower(stp->sd_strtab, low)) {
		fprintf(f, "<path d='M%d %d v14' stroke='#444'/>\n", x + 20, y - 6);
		y = svg_stream(f, low, x + 16, y + 20);
	}
	return y;
}

static int svg_rows(const stdata_t *stp)
{
	int n = 1;

	for (const queue_t *wq = stp->sd_wrq; wq; wq = SAMESTR(wq) ? wq->q_next : NULL)
		n++;
	for (const stdata_t *low = mux_next_lower(stp->sd_strtab, NULL); low; low = mux_next_lower(stp->sd_strtab, low))
		n += svg_rows(low) + 1;
	return n;
}

static void draw(FILE *f, bool all)
{
	streams_t s = collect();
	int rows = 1, n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (wanted(s.list[i], all)) {
			n++;
			rows = MAX(rows, svg_rows(s.list[i]));
		}
	}
	fprintf(
	    f,
	    "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n",
	    MARGIN + MAX(n, 1) * COLUMN, 2 * MARGIN + (rows + 1) * ROW);
	fprintf(f, "<rect width='100%%' height='100%%' fill='white'/>\n");
	fprintf(f, "<text x='%d' y='%d'>at %.9f s; write queues left, read queues right: bytes/high water</text>\n",
		MARGIN, MARGIN, (double)machine_now() / 1e9);
	n = 0;
	for (size_t i = 0; i < s.n; i++) {
		if (wanted(s.list[i], all))
			(void)svg_stream(f, s.list[i], MARGIN + COLUMN * n++, 3 * MARGIN);
	}
	fprintf(f, "</svg>\n");
	free(s.list);
}

/* Written beside it and moved there: whole or not at all. */
static int draw_file(const char *name, bool all)
{
	char *tmp;
	FILE *f;
	int bad;

	if (asprintf(&tmp, "%s.tmp", name) < 0)
		msg_fatal("out of memory\n");
	f = fopen(tmp, "w");
	if (!f)
		msg_fatal("failed to open '%s'", tmp);
	draw(f, all);
	bad = ferror(f);
	if (fclose(f) != 0 || bad || rename(tmp, name) != 0) {
		msg_say("failed to write %s\n", name);
		(void)remove(tmp);
		free(tmp);
		return STATUS_ERROR;
	}
	free(tmp);
	return STATUS_OK;
}

/* ---- the command ---- */

static int usage(void)
{
	fprintf(stderr, "Usage: strsim stream [--at SECONDS] [--all] [--svg FILE] SCENARIO [ARG...]\n");
	return STATUS_USAGE;
}

static int show(workload_t *w, hrtime_t at, bool all, const char *svg)
{
	char err[256];
	int status = STATUS_OK, rc;

	machine_init(0);
	if (w->w_setup(w, err, sizeof(err)) != 0)
		msg_fatal("%s\n", err);
	while ((rc = w->w_run(w, at)) == 0 && machine_now() < at && !workload_interrupts)
		;
	if (rc < 0)
		status = STATUS_ERROR;
	else if (svg)
		status = draw_file(svg, all);
	else
		print_all(all);
	rc = w->w_finish(w);
	if (machine_fini() != 0 && status == STATUS_OK)
		status = STATUS_ERROR;
	return status != STATUS_OK ? status : rc;
}

static int stream_main(int argc, char **argv)
{
	static const struct option options[] = {{"at", required_argument, NULL, 't'},
						{"all", no_argument, NULL, 'a'},
						{"svg", required_argument, NULL, 's'},
						{0}};
	double seconds = 1;
	const char *svg = NULL;
	bool all = false;
	workload_t *w;
	char *end;
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 't':
			seconds = strtod(optarg, &end);
			if (end == optarg || *end || !(seconds >= 0 && seconds < 9e9)) {
				msg_say("invalid value for --at: %s (seconds of virtual time)\n", optarg);
				return STATUS_USAGE;
			}
			break;
		case 'a':
			all = true;
			break;
		case 's':
			svg = optarg;
			break;
		default:
			return usage();
		}
	}
	if (optind >= argc)
		return usage();
	w = scenario_create(argv[optind], argc - optind - 1, argv + optind + 1, &(scenario_opts_t){0});
	if (!w)
		msg_fatal("out of memory\n");
	return show(w, (hrtime_t)(seconds * 1e9), all, svg);
}

static const subcommand_t stream_command = {"stream", "a picture of the streams that a scenario has open at a time",
					    stream_main};
LINKER_SET(subcommand, stream_command);
