"""Reading stickers, anywhere in a picture or at places where one can lie."""
