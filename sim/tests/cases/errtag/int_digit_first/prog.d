BEGIN { x = 01987; }
