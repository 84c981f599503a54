BEGIN { @a = sum(1); }
END { @a = avg(1); }
