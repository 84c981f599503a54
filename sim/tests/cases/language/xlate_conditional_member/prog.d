struct o { int k; }; translator struct o < int v > { k = v > 10 ? 2 : 1; }; BEGIN { printf("%d %d", xlate <struct o> (3).k, xlate <struct o> (30).k); exit(0); }
