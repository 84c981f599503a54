BEGIN { `tcp_g_q = 0; }
