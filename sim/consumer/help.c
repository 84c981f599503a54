#include "help.h"

#include "msg.h"
#include "workload.h"

LINKER_SET_DECLARE(subcommand);

void help_usage(FILE *fp)
{
	fprintf(fp,
		"Usage: %s [-aACeFGhHlqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]\n"
		"\t[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]\n"
		"\t[-x opt[=val]] [-X a|c|s|t]\n\n"
		"\t[-P provider [[ predicate ] action ]]\n"
		"\t[-m [ provider: ] module [[ predicate ] action ]]\n"
		"\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
		"\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
		"\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n\n"
		"\t[-r capture] [-W scenario.lua [ args ... ]] [--help]\n",
		msg_program);
}

static const char intro[] = "A modelled Solaris kernel with its STREAMS modules, and a tracer that speaks D.\n"
			    "Traffic from a capture or a scenario runs through the modules; D programs watch.\n"
			    "Results go to standard output, everything about the run to standard error.\n"
			    "\n"
			    "First steps\n"
			    "  strsim -n 'BEGIN { printf(\"hello\"); exit(0); }'\n"
			    "        a D program with no traffic at all: BEGIN fires, exit() ends it\n"
			    "  strsim -l -m ldterm\n"
			    "        the probes of one module: every function's entry and return\n"
			    "  strsim -r web.pcap -s tcpwdist.d\n"
			    "        replay a capture, print the sizes of TCP writes by process\n"
			    "  strsim -r web.pcap -n 'fbt::putnext:entry { @[stack(5)] = count(); }'\n"
			    "        who passes messages on to whom\n"
			    "  strsim -q -r web.pcap -n 'mib:::tcp* { @[probename] = sum(args[0]); }'\n"
			    "        what netstat -s would have counted\n"
			    "\n"
			    "Programs (repeatable; compiled and enabled in the order given)\n"
			    "  -s FILE          D script; - is standard input\n"
			    "  -n TEXT          program whose probes are given by name\n"
			    "  -f TEXT          ... by function\n"
			    "  -m TEXT          ... by module\n"
			    "  -P TEXT          ... by provider\n"
			    "  -i ID            ... by probe id\n"
			    "  WORD             $1, $2, ... of the programs\n"
			    "\n"
			    "Traffic\n"
			    "  -r FILE          replay a capture (pcap, pcapng; - is standard input); repeatable\n"
			    "  --host ADDR      the modelled host's address in the capture\n"
			    "                   (default: chosen from the capture, and said)\n"
			    "  --processes FILE which process owns which port or flow\n"
			    "  --writes=segment one write per captured data segment (default), or\n"
			    "          =push    one per run that ends in a PSH flag\n"
			    "  --wire FILE      write both directions of the modelled wire as a capture\n"
			    "  --linger TIME    go on after the last frame until idle, or so long (default 2s)\n"
			    "  -W FILE [ARG...] run a scenario written in Lua\n"
			    "  --limit TIME     stop a scenario that has not ended by then (default 3600s)\n"
			    "  --limit N        ... or after so many system calls, timer calls and frames\n"
			    "                   (default 20000000)\n"
			    "  --seed N         seed of everything random (default 0)\n"
			    "  --cpus N         play the capture in N kernels, each on a thread (default 1)\n"
			    "  --pace[=X]       bind virtual time to the host's, X times as fast (default 1)\n"
			    "  --clock=virtual  time stamps from the modelled clock (default), or\n"
			    "         =real     from the host's\n"
			    "\n"
			    "Tracing\n"
			    "  -l               list probes, or those the programs match; -lv tells more\n"
			    "  -e               compile only\n"
			    "  -q               print only what the programs print\n"
			    "  -F               indent by function entry and return\n"
			    "  -v               stability of the programs\n"
			    "  -S               generated code, on standard error\n"
			    "  -w               allow destructive actions\n"
			    "  -Z               allow descriptions that match no probe\n"
			    "  -b SIZE          buffer size, as -x bufsize=SIZE\n"
			    "  -x OPT[=VAL]     set an option: aggsortkey, bufpolicy=ring, switchrate=10hz, ...\n"
			    "  -c COMMAND       run a command of the host, whose process is $target, and end with it\n"
			    "  -p PID           value of $target\n"
			    "  -C -D -I -U -H -X  run scripts through the C preprocessor; its options\n"
			    "  -L DIR           further D library directory\n"
			    "\n"
			    "Output\n"
			    "  -o FILE          append output to FILE\n"
			    "  --folded FILE    aggregations as folded stacks, for flame graphs\n"
			    "  --json FILE      aggregations as JSON\n"
			    "  --progress, --no-progress\n"
			    "                   a progress line on a terminal's standard error\n"
			    "  -V, --version    version\n"
			    "\n"
			    "When the traffic ends, tracing ends as if Ctrl-C had been hit: END fires and\n"
			    "aggregations are printed.\n"
			    "\n"
			    "Exit status: 0 done; 1 a script, run or comparison failed; 2 wrong use;\n"
			    "exit(N) in D gives N.\n";

void help_print(FILE *fp)
{
	fprintf(fp, "Usage: %s [OPTION...] [-s FILE | -n TEXT]... [-r CAPTURE]... [WORD...]\n", msg_program);
	fprintf(fp, "       %s COMMAND [ARG...]\n\n", msg_program);
	fputs(intro, fp);
	fputs("\nCommands\n", fp);
	LINKER_SET_FOREACH(pp, subcommand)
	{
		const subcommand_t *sc = *pp;

		fprintf(fp, "  %-16s %s\n", sc->sc_name, sc->sc_summary);
	}
}

static int help_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	help_print(stdout);
	return STATUS_OK;
}

static const subcommand_t help_command = {"help", "this text", help_main};
LINKER_SET(subcommand, help_command);
