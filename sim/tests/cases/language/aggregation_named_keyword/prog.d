BEGIN { @int = count(); exit(0); }
