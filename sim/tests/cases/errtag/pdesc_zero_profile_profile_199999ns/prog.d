profile:::profile-199999ns
{ trace(1); }
