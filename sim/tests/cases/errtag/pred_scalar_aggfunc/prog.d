BEGIN /count()/ { }
