BEGIN /1 == ''/ { }
