BEGIN { commit("a"); }
