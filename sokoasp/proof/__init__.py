"""Certificates: small checkers for what others claim to have proved about a level.

What a third party must trust is in this room and nowhere else: the rules of the game, the checkers. Nothing here imports a
search, clingo or a SAT solver; an import contract holds that.
"""
