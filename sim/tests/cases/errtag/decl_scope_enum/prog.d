enum a`b { A };
