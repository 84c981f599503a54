;; BEGIN { printf("1"); };; END { }; BEGIN { exit(0); };
