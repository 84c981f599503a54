process{args = {{}}, run = print}
