BEGIN { copyinto(0, 1); }
