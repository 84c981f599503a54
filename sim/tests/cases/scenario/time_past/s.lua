at(1, function() at(0.5, print) end)
