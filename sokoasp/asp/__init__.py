"""Everything that touches clingo. Nothing here knows a game: facts and programs go in, shown atoms come out."""
