process{args = "q", run = function(p) p:sleep(1.25) end}
after(0.5, function() end)
