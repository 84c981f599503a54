BEGIN {
// hello
exit(0); }
