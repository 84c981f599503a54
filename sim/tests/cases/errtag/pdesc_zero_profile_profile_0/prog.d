profile:::profile-0
{ trace(1); }
