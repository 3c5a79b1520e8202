"""A small window that folders can be dragged from, as from a file manager: drag.py PATH...

It stands at the screen's upper left corner, prints a line when it is shown, and another when a drag has ended.
"""

import sys
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

uris = [Path(path).as_uri() for path in sys.argv[1:]]
window = Gtk.Window(title="Drag from here")
window.set_decorated(False)
window.set_default_size(120, 60)
window.set_keep_above(True)
box = Gtk.EventBox()
box.add(Gtk.Label(label="folders"))
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda _w, _c, data, _i, _t: data.set_uris(uris))
box.connect("drag-end", lambda *_: print("ended", flush=True))
window.add(box)
window.connect("map-event", lambda *_: print("shown", flush=True))
window.show_all()
window.move(0, 0)
Gtk.main()
