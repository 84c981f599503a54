profile:::profile-1x
{ trace(1); }
