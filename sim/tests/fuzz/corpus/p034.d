BEGIN { x++; x.a = probenameinet_ntop1; }
