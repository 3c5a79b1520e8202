#!/bin/sh
# Installs the package into a Debian that has nothing of ours, and starts both programs there as an ordinary user.
#
#   ./dev package
#   tests/clean-root.sh [SUITE [PACKAGE]]      as root; needs debootstrap and 2 GB in TMPDIR; takes some minutes
#
# SUITE is a Debian code name (this machine's own when left out: a package runs on the release it was built on and on later
# ones), PACKAGE a .deb (the newest of target/release/bundle/deb when left out). It is no part of ./dev test: it downloads a
# whole system each time.
set -eu
cd "$(dirname "$0")/.."

[ "$(id -u)" = 0 ] || { echo 'tests/clean-root.sh: only root can make a root' >&2; exit 2; }
command -v debootstrap >/dev/null 2>&1 || { echo 'tests/clean-root.sh: apt-get install debootstrap' >&2; exit 2; }
suite=${1:-$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)}
package=${2:-$(find "$PWD/target/release/bundle/deb" -maxdepth 1 -name '*.deb' -exec ls -t {} + | head -n 1)}
[ -f "$package" ] || { echo 'tests/clean-root.sh: no package; run ./dev package' >&2; exit 2; }

room=$(mktemp -d "${TMPDIR:-/tmp}/gatehouse-clean.XXXXXX")

# What runs in there is ended first, then what is mounted is let go, innermost first; only then is anything removed.
# shellcheck disable=SC2317 # the trap is the caller
end() {
    trap - EXIT HUP INT TERM
    for process in /proc/[0-9]*; do
        case $(readlink "$process/root" 2>/dev/null) in
        "$room"*) kill -s KILL "${process#/proc/}" 2>/dev/null || true ;;
        esac
    done
    awk -v room="$room" 'index($2, room) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mounted; do
        umount -l "$mounted" || true
    done
    if grep -q " $room" /proc/mounts; then
        echo "tests/clean-root.sh: still mounted, so left in place: $room" >&2
    else
        rm -rf --one-file-system "$room"
    fi
}
trap end EXIT
trap 'exit 130' HUP INT TERM

inside() { chroot "$room" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

# quietly COMMAND…: its output only when it fails.
quietly() {
    "$@" >"$room.log" 2>&1 || {
        tail -n 40 "$room.log"
        echo "failed: $*"
        exit 1
    }
    rm -f "$room.log"
}

echo "== a clean $suite"
# mktemp made it for us alone; it becomes the guest's / too.
chmod 755 "$room"
quietly debootstrap --variant=minbase --include=ca-certificates "$suite" "$room"
# The machine's own way to its packages (a proxy, a mirror) holds in there as well.
cp /etc/resolv.conf "$room/etc/resolv.conf"
find /etc/apt/apt.conf.d -name '*proxy*' -exec cp {} "$room/etc/apt/apt.conf.d/" \;
mountpoint -q "$room/proc" || mount -t proc proc "$room/proc" || mount --rbind /proc "$room/proc"
[ -c "$room/dev/urandom" ] || mount --rbind /dev "$room/dev"

echo "== install ${package##*/}"
cp "$package" "$room/gatehouse.deb"
quietly inside apt-get update -q
quietly inside apt-get install -y -q --no-install-recommends /gatehouse.deb
# shellcheck disable=SC2016 # dpkg expands
inside dpkg-query -W -f='${Package} ${Version}, ${Installed-Size} kB; needs ${Depends}; recommends ${Recommends}\n' gatehouse
inside dpkg-query -L gatehouse | grep -E '/bin/|\.desktop$|\.png$'

echo '== the command'
quietly inside useradd --create-home guest
as_guest() { inside runuser -u guest -- env HOME=/home/guest "$@"; }
as_guest gatehouse --version
as_guest gatehouse demo </dev/null >"$room/demo.log" 2>&1 || { cat "$room/demo.log"; echo 'failed: gatehouse demo'; exit 1; }
tail -n 3 "$room/demo.log"

# Only now come the tools to look with, so that nothing above leans on them.
echo '== the window'
quietly inside apt-get install -y -q --no-install-recommends xvfb xauth xdotool dbus desktop-file-utils
inside sh -c 'desktop-file-validate /usr/share/applications/*.desktop'
# shellcheck disable=SC2016 # the inner shell expands
as_guest xvfb-run -a dbus-run-session -- sh -eu -c '
    gatehouse-desktop >/tmp/window.log 2>&1 &
    window=$!
    tries=0
    until xdotool search --onlyvisible --name "^Gatehouse" >/dev/null 2>&1; do
        tries=$((tries + 1))
        if [ $tries -gt 100 ] || ! kill -0 $window 2>/dev/null; then
            cat /tmp/window.log
            echo "failed: no window"
            exit 1
        fi
        sleep 0.2
    done
    sleep 2
    kill -0 $window || { cat /tmp/window.log; echo "failed: the window did not stay"; exit 1; }
    echo "the window is there: $(xdotool search --onlyvisible --name "^Gatehouse" getwindowname | head -n 1)"
    kill $window
' || exit 1

echo '== remove'
quietly inside apt-get purge -y -q gatehouse
left=$(inside find /usr /etc /opt -iname '*gatehouse*' -not -path '/usr/share/doc/*')
[ -z "$left" ] || { printf 'failed: left behind:\n%s\n' "$left"; exit 1; }
echo "clean root: passed on $suite"
