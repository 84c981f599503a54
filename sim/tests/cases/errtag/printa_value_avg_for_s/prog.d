BEGIN { @a = avg(1); printa("%@s", @a); }
