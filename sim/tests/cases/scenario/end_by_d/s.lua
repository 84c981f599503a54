every(0.1, function() end)
