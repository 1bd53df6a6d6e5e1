"""What every other part stands on: errors, results and limits. It knows no game and no solver."""
