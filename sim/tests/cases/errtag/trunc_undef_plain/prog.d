BEGIN { trunc(@n); }
