BEGIN { x = pid ? curpsinfo : 0; }
