BEGIN { copyinto(0, 4, NULL); }
ERROR { exit(1); }
