"""Certificates: formulas written directly from a level, and small checkers for what others claim to have proved about them.

What a third party must trust is in this room and nowhere else: the rules of the game, the formula, the checkers. Nothing here
imports a search, clingo or a SAT solver; an import contract holds that. Makers use the checker's formulas, never the other
way round (docs/certificates.md).
"""
