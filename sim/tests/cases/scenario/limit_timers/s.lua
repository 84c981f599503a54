every(0.001, function() end)
