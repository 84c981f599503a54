profile:::profile-5001hz
{ trace(1); }
