self self int x;
