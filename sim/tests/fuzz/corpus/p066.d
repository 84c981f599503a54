

  #pragma modDunsignedoption quiet
  # pragma D option strsize=16
BEGIN {printf("%d", 3); exit(0); }
