profile:::profile-10000
{ trace(1); }
