BEGIN { x = '\t\t\t\t\t\t\t\t\t'; }
