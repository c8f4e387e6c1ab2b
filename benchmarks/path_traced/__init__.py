"""Path-traced pictures of tables with truth, made without the virtual camera of ``companion``.

``scenes`` lays tables out and writes them as scene files, ``render`` makes pictures of those; it
needs Blender's ``bpy`` and an environment of its own (``docs/testing.md``).
"""
