BEGIN { `his->n -= 1; }
