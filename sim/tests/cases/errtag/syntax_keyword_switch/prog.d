BEGIN { switch (1) { } }
