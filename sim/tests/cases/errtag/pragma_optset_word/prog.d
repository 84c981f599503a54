#pragma D option bufpolicy=nosuch
BEGIN { }
