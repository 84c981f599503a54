enum a`b { Axlate};
