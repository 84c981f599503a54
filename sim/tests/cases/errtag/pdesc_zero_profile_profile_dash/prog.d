profile:::profile-
{ trace(1); }
