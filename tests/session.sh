#!/bin/sh
# Runs a command in a desktop session of its own: tests/session.sh COMMAND [ARG]…
#
# A virtual screen on a free display number, a session bus, a window manager, and folders of its own for everything that
# desktop programs keep. The person's screen, bus, settings and files are out of reach of what runs here, and nothing of
# it is left behind: every process of the session carries a mark in its environment, by which it is found and ended.
set -eu

[ $# -gt 0 ] || { echo 'usage: tests/session.sh COMMAND [ARG]...' >&2; exit 2; }
for program in Xvfb dbus-run-session openbox; do
    command -v $program >/dev/null 2>&1 || { echo "tests/session.sh: $program is missing; ./dev test installs it" >&2; exit 2; }
done

room=$(mktemp -d "${TMPDIR:-/tmp}/gatehouse-session.XXXXXX")
mark=GATEHOUSE_SESSION=$room
screen=

# Ends what carries the mark: first politely, then for good. A helper that left our process group is found all the same.
# shellcheck disable=SC2086,SC2317 # process ids are words; the trap is the caller
end() {
    trap - EXIT HUP INT TERM
    for signal in TERM KILL; do
        left=$(marked)
        [ -n "$left" ] || break
        kill -s $signal $left 2>/dev/null || true
        tries=0
        while [ -n "$(marked)" ] && [ $tries -lt 20 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
    done
    if [ -n "$screen" ]; then
        kill "$screen" 2>/dev/null || true
        wait "$screen" 2>/dev/null || true
    fi
    rm -rf "$room"
}

# Processes of other people can't be read, and some end while we look: both are silent.
# shellcheck disable=SC2317
marked() {
    grep -lsz "^$mark\$" /proc/[0-9]*/environ 2>/dev/null | sed 's,^/proc/,,; s,/environ$,,' | tr '\n' ' '
}

trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Xvfb picks the free number itself and tells it: nobody else can take it in between.
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp -noreset 3>"$room/display" >"$room/xvfb.log" 2>&1 &
screen=$!
tries=0
until [ -s "$room/display" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ] || ! kill -0 "$screen" 2>/dev/null; then
        echo 'tests/session.sh: Xvfb did not start:' >&2
        cat "$room/xvfb.log" >&2
        exit 1
    fi
    sleep 0.1
done

mkdir -m 700 "$room/runtime" "$room/config" "$room/data" "$room/cache" "$room/state"
# A native file dialog opens in a folder, not in the list of recent files, where nothing can be typed or chosen.
mkdir -p "$room/config/glib-2.0/settings"
cat >"$room/config/glib-2.0/settings/keyfile" <<'END'
[org/gtk/settings/file-chooser]
startup-mode='cwd'
END

unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS SESSION_MANAGER XDG_CURRENT_DESKTOP
# The window is tested with the renderer that people have. Switching it off saves 0.2 s a start where there is no GPU,
# but then WebDriver's screenshots never return (WebKitGTK 2.50).
unset WEBKIT_DISABLE_DMABUF_RENDERER WEBKIT_DISABLE_COMPOSITING_MODE
# The window manager runs inside the bus's session and ends before it.
rc=0
# shellcheck disable=SC2016 # the inner shell expands
env "$mark" \
    DISPLAY=":$(tr -d ' \n' <"$room/display")" GDK_BACKEND=x11 NO_AT_BRIDGE=1 GSETTINGS_BACKEND=keyfile LC_ALL=C.UTF-8 \
    XDG_RUNTIME_DIR="$room/runtime" XDG_CONFIG_HOME="$room/config" XDG_DATA_HOME="$room/data" \
    XDG_CACHE_HOME="$room/cache" XDG_STATE_HOME="$room/state" \
    dbus-run-session -- sh -c '
        openbox >/dev/null 2>&1 &
        manager=$!
        rc=0
        "$@" || rc=$?
        kill $manager 2>/dev/null || true
        exit $rc
    ' session "$@" || rc=$?
exit $rc
