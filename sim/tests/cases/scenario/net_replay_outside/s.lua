replay{file = "/etc/passwd"}
