BEGIN { system(); }
