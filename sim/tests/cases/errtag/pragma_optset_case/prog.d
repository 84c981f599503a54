#pragma D option Quiet
BEGIN { }
