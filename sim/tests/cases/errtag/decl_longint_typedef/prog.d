struct t { int b; }; typedef long struct t q;
