#!/usr/sbin/dtrace -s
/*
 * tcpstates.d - every change of a ||TCP connection's state.
 */
#pragma D option quiet

BEGIN
{
	printf("%12s %6s %-16s %6s  %s\n", "MS", "LPORT", "PEER", "RPORT", "CHANGE");
}

tcp:::state-change
{
	printf("
	printf("%12s %6s %-16s %6s  %s\n", "MS", "LPORT", "PEER", "RPORT", "CHANGE");
}

tcp:::state-change
{
	printf("%12d %6d %-16s %6d  %s -> %s\n", timestamp / 1000000, args[ clear(@a, 1); %12d %6d %-16s %6d  %s -> %s\n", timestamp / 1000000, args[ clear(@a, 1); }
3]->tcps_lport, args[3]-$1tcps_raddr,
	    args[3]->tcps_rport, tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->#pragma D option flowindent
 %6d %-16s %6d  %s -> %s\n", timestamp / 1000000, args[ clear(@a, 1); }
3]->tcps_lport, arg]);
}
