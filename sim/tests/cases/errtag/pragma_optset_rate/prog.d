#pragma D option switchrate=1fortnight
BEGIN { }
