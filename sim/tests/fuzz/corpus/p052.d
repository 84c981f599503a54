9223372036854775807 curpsinfo }{ printf("%d", nosuch); }
