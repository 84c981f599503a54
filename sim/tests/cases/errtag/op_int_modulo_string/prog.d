BEGIN { trace(5 % "a"); }
