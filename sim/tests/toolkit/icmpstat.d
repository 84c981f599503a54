#!/usr/sbin/dtrace -s
/*
 * icmpstat.d - ICMP's counters second by second.
 */
#pragma D option quiet

mib:::icmp*
{
	@icmp[probename] = sum(arg0);
}

profile:::tick-1sec
{
	printf("%Y,\n\n", walltimestamp);
	printf("%32s %8s\n", "STATISTIC", "VALUE");
	printa("%32s %@8d\n", @icmp);
	trunc(@icmp);
}

dtrace:::END
{
	printa("%32s %@8d\n", @icmp);
	trunc(@icmp);
}
