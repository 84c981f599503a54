#pragma D option bufresize=Auto
BEGIN { }
