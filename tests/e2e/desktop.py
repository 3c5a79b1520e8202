"""A desktop that shows notifications, and a window that has the focus instead of Gatehouse.

Each notification is printed as one line of JSON. A line `click` on standard input clicks the last one, as a person would.
"""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
INTERFACE = Gio.DBusNodeInfo.new_for_xml(
    """<node><interface name="org.freedesktop.Notifications">
    <method name="Notify">
      <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
      <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
      <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
    </method>
    <method name="CloseNotification"><arg type="u" direction="in"/></method>
    <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
    </interface></node>"""
).interfaces[0]

shown = 0


def say(**what):
    print(json.dumps(what), flush=True)


def called(bus, sender, path, interface, method, told, invocation):
    global shown
    if method == "Notify":
        _, replaces, _, summary, body, actions, hints, _ = told.unpack()
        shown = replaces or shown + 1
        say(event="notify", summary=summary, body=body, actions=actions, hints=hints, all=told.print_(False))
        invocation.return_value(GLib.Variant("(u)", (shown,)))
    else:
        say(event="closed")
        invocation.return_value(None)


def typed(source, condition, bus):
    if not sys.stdin.readline():
        Gtk.main_quit()
        return False
    bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (shown, "default")))
    return True


def owned(bus, name):
    bus.register_object(PATH, INTERFACE, called, None, None)
    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, typed, bus)
    window = Gtk.Window(title="Elsewhere")
    window.set_default_size(300, 200)
    window.show_all()
    window.present()
    window.connect("focus-in-event", lambda *_: say(event="focused"))


Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, None, owned, None)
Gtk.main()
