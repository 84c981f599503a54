BEGIN { @a = cnt(); }
