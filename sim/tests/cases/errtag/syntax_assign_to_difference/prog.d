BEGIN { @a-b = ; }
