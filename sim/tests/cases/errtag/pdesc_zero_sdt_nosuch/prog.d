sdt:::nosuch
{ trace(1); }
