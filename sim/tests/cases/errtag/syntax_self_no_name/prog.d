BEGIN { self->; }
