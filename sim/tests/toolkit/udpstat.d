#!/usr/sbin/dtrace -s
/*
 * udpstat.d - UDP's datagrams in every second and at the end all of them.
 */
#pragma D option quiet

dtrace:::BEGIN
{
	UDP_out = 0; UDP_outErr = 0; UDP_in = 0; UDP_inErr = 0; UDP_noPort = 0;
	line = 0;
}

profile:::tick-1sec
/line <= 0/
{
	printf("%11s %11s %11s %11s %11s\n", "UDP_out", "UDP_outErr", "UDP_in", "UDP_inErr", "UDP_noPort");
	line = 20;
}

mib:::udp*InDatagrams { UDP_in += arg0; @total["in"] = sum(arg0); }
mib:::udp*OutDatagrams { UDP_out += arg0; @total["out"] = sum(arg0); }
mib:::udpInErrors,
mib:::udpInCksumErrs { UDP_inErr += arg0; @total["inErr"] = sum(arg0); }
mib:::udpOutErrors { UDP_outErr += arg0; @total["outErr"] = sum(arg0); }
mib:::udpNoPorts { UDP_noPort += arg0; @total["noPort"] = sum(arg0); }

profile:::tick-1sec
{
	printf("%11d %11d %11d %11d %11d\n", UDP_out, UDP_outErr, UDP_in, UDP_inErr, UDP_noPort);
	UDP_out = 0; UDP_outErr = 0; UDP_in = 0; UDP_inErr = 0; UDP_noPort = 0;
	line--;
}

dtrace:::END
{
	printa("total %s %@d\n", @total);
}
