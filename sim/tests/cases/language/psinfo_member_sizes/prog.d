BEGIN { printf("%d %d %d", sizeof(curpsinfo->pr_fname), sizeof(curpsinfo->pr_psargs), sizeof(curlwpsinfo->pr_clname)); exit(0); }
