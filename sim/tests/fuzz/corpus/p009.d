BEGIN { printa(1)/"" }
