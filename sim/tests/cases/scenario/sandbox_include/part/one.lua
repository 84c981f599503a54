from_part = "yes"
return {answer = 42}
