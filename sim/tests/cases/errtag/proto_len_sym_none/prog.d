BEGIN { sym(); }
