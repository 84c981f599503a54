struct o { int n; }; translator struct o < string s > { n = strlen(s); }; BEGIN { printf("%d", xlate <struct o> ("abc").n); exit(0); }
