typedef long void t;
