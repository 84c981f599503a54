-- wrong
nothing()
