BEGIN { @a = ; }
