BEGIN { @ = min(1); @ = max(1); }
