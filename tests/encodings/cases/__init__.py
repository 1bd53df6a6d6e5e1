"""Facts and expected answer sets of every program file, a module a folder of ``encodings/sokoban``."""
