BEGIN { @a = sum(probename); }
