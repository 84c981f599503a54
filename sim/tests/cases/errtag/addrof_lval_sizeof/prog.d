BEGIN { trace(&sizeof (int)); }
