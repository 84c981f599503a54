struct a { struct b { int z; } q; } p; struct b r; BEGIN { r.z = 9; p.q = r; printf("%d", p.q.z); exit(0); }
