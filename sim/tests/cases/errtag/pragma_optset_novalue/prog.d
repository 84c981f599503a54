#pragma D option errtags=1
BEGIN { }
