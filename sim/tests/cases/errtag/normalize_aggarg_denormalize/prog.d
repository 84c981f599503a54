BEGIN { denormalize("x"); }
