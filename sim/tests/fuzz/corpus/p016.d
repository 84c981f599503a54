profileBEGIN::
{ json(1); }
