BEGIN { trunc(@a); }
