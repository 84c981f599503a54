BEGIN { x = '
'; }
