/* Statements of tcpstat, udpstat and icmpstat: the totals are those of `strsim validate' on the same capture. */
#pragma D option quiet

BEGIN
{
	quantizetcp_out = 0; tcp_retrans = 0; tcp_in = 0; tcp_dup = 0; tcp_unorder = 0;
	udp_in = 0; udp_out = 0; udp_err = 0;
}

mib:::tcpOutDataBytes { tcp_out += arg0; }
mib:::tcpRetransBytes { tcp_retrans += arg0; }
mib:::tcpInDataInorderBytes { tcp_in += arg0; }
mib:::tcpInDataDupBytes { tcp_dup += arg0; }
mib:::tcpInDataUnorderBytes { tcp_unorder += arg0; }

mib:::udp*InDatagrams { udp_in += arg0; }
mib:::udp*OutDatagrams { udp_out += arg0; }
mib:::udpInErrors, mib:::udpInCksumErrs, mib:::udpOutErrors, mib:::udpNoPorts { udp_err += arg0; }

mib:::icmp* { @icmp[probename] = sum(arg0); }

profile:::tick-1sec { line--; }
profile:::tick-1sec /line <= 0/ { line = 20; headers++; }

END
{
	printf("%11s %11s %11s %11s %11s\n", "TCP_out", "TCP_outRe", "TCP_in", "TCP_inDup", "TCP_inUn");
	printf("%11d %11d %11d %11d %11d\n", tcp_out, tcp_retrans, tcp_in, tcp_dup, tcp_unorder);
	printf("%11s %11s %11s\n", "UDP_out", "UDP_in", "UDP_err");
	printf("%11d %11d %11d\n", udp_out, udp_in, udp_err);
	printa("%32s %@8d\n", @icmp);
	trunc(@icmp);
}
