BEGIN { commit(1); ustack(); }
