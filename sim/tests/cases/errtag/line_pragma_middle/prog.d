BEGIN {
}
#pragma D option bufsize=x
END { }
