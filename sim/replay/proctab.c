#include "replay/proctab.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
	char r_proto[5];      /* "" = any */
	int r_lport, r_rport; /* -1 = any */
	int r_pid;            /* 0 = next free */
	char *r_psargs;
	struct row *r_next;
} row_t;

struct proctab {
	row_t *t_rows;
};

typedef struct known {
	const char *k_proto;
	uint16_t k_port;
	const char *k_server, *k_client; /* %s: the peer */
} known_t;

static const known_t known[] = {
    {"tcp", 20, "in.ftpd -a", "ftp %s"},
    {"tcp", 21, "in.ftpd -a", "ftp %s"},
    {"tcp", 22, "/usr/lib/ssh/sshd", "ssh %s"},
    {"tcp", 23, "in.telnetd", "telnet %s"},
    {"tcp", 25, "/usr/lib/sendmail -bd -q15m", "/usr/lib/sendmail %s"},
    {"tcp", 53, "/usr/sbin/in.named", "nslookup - %s"},
    {"tcp", 79, "in.fingerd", "finger @%s"},
    {"tcp", 80, "/usr/apache/bin/httpd", "mozilla http://%s/"},
    {"tcp", 110, "in.pop3d", "fetchmail %s"},
    {"tcp", 111, "/usr/sbin/rpcbind", "rpcinfo -p %s"},
    {"tcp", 143, "imapd", "imap %s"},
    {"tcp", 443, "/usr/apache/bin/httpd -DSSL", "mozilla https://%s/"},
    {"tcp", 513, "in.rlogind", "rlogin %s"},
    {"tcp", 514, "in.rshd", "rsh %s"},
    {"tcp", 515, "in.lpd", "lp -d %s"},
    {"tcp", 587, "/usr/lib/sendmail -bd", "/usr/lib/sendmail %s"},
    {"tcp", 1723, "pptpd", "pptp %s"},
    {"tcp", 2049, "/usr/lib/nfs/nfsd", "mount -F nfs %s"},
    {"tcp", 6000, "/usr/X11/bin/Xorg :0", "xterm -display %s:0"},
    {"tcp", 6667, "ircd", "irc %s"},
    {"tcp", 8080, "/usr/apache/bin/httpd", "mozilla http://%s:8080/"},
    {"udp", 53, "/usr/sbin/in.named", "nslookup"},
    {"udp", 67, "/usr/lib/inet/in.dhcpd", "/sbin/dhcpagent"},
    {"udp", 68, "/sbin/dhcpagent", "/sbin/dhcpagent"},
    {"udp", 69, "in.tftpd -s /tftpboot", "tftp"},
    {"udp", 111, "/usr/sbin/rpcbind", "rpcinfo"},
    {"udp", 123, "/usr/lib/inet/xntpd", "/usr/sbin/ntpdate"},
    {"udp", 137, "nmbd -D", "nmblookup"},
    {"udp", 138, "nmbd -D", "nmblookup"},
    {"udp", 161, "/usr/sfw/sbin/snmpd", "snmpget"},
    {"udp", 514, "/usr/sbin/syslogd", "logger"},
    {"udp", 520, "/usr/sbin/in.routed", "/usr/sbin/in.routed"},
    {"udp", 2049, "/usr/lib/nfs/nfsd", "/usr/lib/nfs/nfsd"},
};

/* ---- the file ---- */

static bool number(const char *word, int max, int *out)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(word, &end, 10);
	if (*word == '\0' || *end != '\0' || errno != 0 || v < 0 || v > max)
		return false;
	*out = (int)v;
	return true;
}

/* NULL, or what is wrong with the line. */
static const char *parse_row(char *line, row_t *r)
{
	char *save, *word[4];

	for (int i = 0; i < 4; i++)
		if ((word[i] = strtok_r(i == 0 ? line : NULL, " \t", &save)) == NULL)
			return "expected: proto local-port remote-port pid psargs";
	save += strspn(save, " \t");
	if (*save == '\0')
		return "expected the arguments of the process after its pid";
	if (strcmp(word[0], "tcp") != 0 && strcmp(word[0], "udp") != 0 && strcmp(word[0], "icmp") != 0 &&
	    strcmp(word[0], "*") != 0)
		return "protocol must be tcp, udp, icmp or *";
	if (word[0][0] != '*')
		snprintf(r->r_proto, sizeof(r->r_proto), "%s", word[0]);
	r->r_lport = r->r_rport = -1;
	if (strcmp(word[1], "*") != 0 && !number(word[1], 65535, &r->r_lport))
		return "local port must be 0 to 65535 or *";
	if (strcmp(word[2], "*") != 0 && !number(word[2], 65535, &r->r_rport))
		return "remote port must be 0 to 65535 or *";
	if (strcmp(word[3], "*") != 0 && (!number(word[3], 0x7ffffffe, &r->r_pid) || r->r_pid == 0))
		return "pid must be a positive number or *";
	r->r_psargs = strdup(save);
	return r->r_psargs == NULL ? "out of memory" : NULL;
}

static bool parse_file(proctab_t *t, FILE *fp, const char *file, char *err, size_t errlen)
{
	row_t **tail = &t->t_rows;
	char *line = NULL;
	size_t cap = 0;
	const char *why = NULL;

	for (int n = 1; why == NULL && getline(&line, &cap, fp) >= 0; n++) {
		row_t *r;

		line[strcspn(line, "#\n")] = '\0';
		for (size_t l = strlen(line); l > 0 && strchr(" \t\r", line[l - 1]) != NULL; l--)
			line[l - 1] = '\0';
		if (line[strspn(line, " \t\r")] == '\0')
			continue;
		r = calloc(1, sizeof(*r));
		if (r == NULL) {
			why = "out of memory";
		} else {
			*tail = r;
			tail = &r->r_next;
			why = parse_row(line, r);
		}
		if (why != NULL)
			snprintf(err, errlen, "%s:%d: %s", file, n, why);
	}
	free(line);
	if (why == NULL && ferror(fp)) {
		why = strerror(errno);
		snprintf(err, errlen, "%s: %s", file, why);
	}
	return why == NULL;
}

proctab_t *proctab_create(const char *file, char *err, size_t errlen)
{
	proctab_t *t = calloc(1, sizeof(*t));
	FILE *fp;
	bool ok;

	if (t == NULL || file == NULL)
		return t;
	fp = fopen(file, "r");
	if (fp == NULL) {
		snprintf(err, errlen, "%s: %s", file, strerror(errno));
		proctab_destroy(t);
		return NULL;
	}
	ok = parse_file(t, fp, file, err, errlen);
	fclose(fp);
	if (!ok) {
		proctab_destroy(t);
		return NULL;
	}
	return t;
}

void proctab_destroy(proctab_t *t)
{
	while (t->t_rows != NULL) {
		row_t *r = t->t_rows;

		t->t_rows = r->r_next;
		free(r->r_psargs);
		free(r);
	}
	free(t);
}

/* ---- names ---- */

static const known_t *well_known(const char *proto, uint16_t port)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].k_port == port && strcmp(known[i].k_proto, proto) == 0)
			return &known[i];
	return NULL;
}

static void default_name(const proc_want_t *w, char *psargs, size_t len)
{
	const known_t *local = well_known(w->pw_proto, w->pw_lport);
	const known_t *remote = well_known(w->pw_proto, w->pw_rport);
	char host[INET_ADDRSTRLEN] = "";

	inet_ntop(AF_INET, &w->pw_raddr, host, sizeof(host));
	if (strcmp(w->pw_proto, "icmp") == 0) {
		snprintf(psargs, len, "ping %s", host);
	} else if (local != NULL && (w->pw_server || remote == NULL)) {
		snprintf(psargs, len, "%s", local->k_server);
	} else if (remote != NULL && !w->pw_server) {
		/* the format comes from the table above */
		const char *at = strstr(remote->k_client, "%s");

		if (at == NULL)
			snprintf(psargs, len, "%s", remote->k_client);
		else
			snprintf(psargs, len, "%.*s%s%s", (int)(at - remote->k_client), remote->k_client, host, at + 2);
	} else if (w->pw_server) {
		snprintf(psargs, len, "%s-server %u", w->pw_proto, w->pw_lport);
	} else {
		snprintf(psargs, len, "%s-client %s:%u", w->pw_proto, host, w->pw_rport);
	}
}

int proctab_name(const proctab_t *t, const proc_want_t *w, char *psargs, size_t len)
{
	for (const row_t *r = t->t_rows; r != NULL; r = r->r_next) {
		if (r->r_proto[0] != '\0' && strcmp(r->r_proto, w->pw_proto) != 0)
			continue;
		if ((r->r_lport >= 0 && r->r_lport != w->pw_lport) || (r->r_rport >= 0 && r->r_rport != w->pw_rport))
			continue;
		snprintf(psargs, len, "%s", r->r_psargs);
		return r->r_pid;
	}
	default_name(w, psargs, len);
	return 0;
}

bool proctab_has(const proctab_t *t, int pid)
{
	for (const row_t *r = t->t_rows; r != NULL; r = r->r_next)
		if (r->r_pid == pid)
			return true;
	return false;
}
