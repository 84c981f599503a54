profile-0 { }
