"""One screen per module, with its ``.kv`` beside it."""
