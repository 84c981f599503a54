#!/usr/sbin/dtrace -s
/*
 * tcpstat.d - TCP's bytes in every second and at the end all of them: statements, probes and formats of the kind that
 *             the toolkit's script of this name uses.
 */
#pragma D option quiet
#pragma D option switchrate=10hz

inline int LINES = 20;

dtrace:::BEGIN
{
	TCP_out = 0; TCP_outRe = 0; TCP_in = 0; TCP_inDup = 0; TCP_inUn = 0;
	all_out = 0; all_outRe = 0; all_in = 0; all_inDup = 0; all_inUn = 0;
	line = 0;
}

profile:::tick-1sec
/line <= 0/
{
	printf("%11s %11s %11s %11s %11s\n", "TCP_out", "TCP_outRe", "TCP_in", "TCP_inDup", "TCP_inUn");
	line = LINES;
}

mib:::tcpOutDataBytes { TCP_out += arg0; all_out += arg0; }
mib:::tcpRetransBytes { TCP_outRe += arg0; all_outRe += arg0; }
mib:::tcpInDataInorderBytes { TCP_in += arg0; all_in += arg0; }
mib:::tcpInDataDupBytes { TCP_inDup += arg0; all_inDup += arg0; }
mib:::tcpInDataUnorderBytes { TCP_inUn += arg0; all_inUn += arg0; }

profile:::tick-1sec
{
	printf("%11d %11d %11d %11d %11d\n", TCP_out, TCP_outRe, TCP_in, TCP_inDup, TCP_inUn);
	line--;
}

profile:::tick-1sec
{
	TCP_out = 0; TCP_outRe = 0; TCP_in = 0; TCP_inDup = 0; TCP_inUn = 0;
}

dtrace:::END
{
	/* what came after the last second was over */
	printf("%11d %11d %11d %11d %11d\n", TCP_out, TCP_outRe, TCP_in, TCP_inDup, TCP_inUn);
	printf("total %d %d %d %d %d\n", all_out, all_outRe, all_in, all_inDup, all_inUn);
}
