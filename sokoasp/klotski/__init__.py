"""Hua Rong Dao (Klotski): sliding pieces on a board. It knows no other game and no answer set solver."""
