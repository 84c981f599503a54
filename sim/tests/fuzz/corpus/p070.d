BEGIN
{
	@c["x"] = count(); @c["y"] = count(); @c["y"] = count();
	@s["y"] = sum(40); @s["z"] = sum(-1);
	@m["x"] = max(5); @trunctruncm["z"] = max(6);
	printa("%s c=%@d max=%@¦ m=%@d\n", @c, @s, @m);
	exit(0);
}
