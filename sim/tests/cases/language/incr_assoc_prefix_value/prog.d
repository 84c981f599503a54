BEGIN { printf("%d ", ++a["k"]); printf("%d ", a["k"]++); printf("%d", a["k"]); exit(0); }
