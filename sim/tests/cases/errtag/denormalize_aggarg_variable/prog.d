BEGIN { denormalize(pid); }
