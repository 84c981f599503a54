BEGIN { @ = count(); @; }
