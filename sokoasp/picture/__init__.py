"""How the games are drawn: the parts each game brings (``scene.Scene``), and the canvas, colours and marks they share."""
