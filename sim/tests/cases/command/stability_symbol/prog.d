profile:::profile-1 { x = &`tcp_g_q; }
BEGIN { exit(0); }
