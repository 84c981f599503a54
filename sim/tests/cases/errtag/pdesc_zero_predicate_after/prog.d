nosuch /undefined/ { }
