profile:::profile-1ns
{ trace(1); }
