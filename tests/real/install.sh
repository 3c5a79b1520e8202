#!/bin/sh
# Installs the real MCP servers that tests/suites/real.rs talks to, at the exact versions of package-lock.json and the two
# requirements files. Idempotent: a stamp in each folder names what was installed, and a second run does nothing.
# Needs node, npm, python3. python3-venv is installed through apt where it is missing and we are root.
set -eu
cd "$(dirname "$0")"

say() { printf '%s\n' "real servers: $*" >&2; }

# The stamp covers the input file and the tool that reads it, so that a new Node or Python installs again.
stamp() { cat "$@" | cksum | tr -d ' \n'; }

fresh() { # fresh FOLDER STAMP: is this folder finished at this stamp?
    [ -f "$1/.stamp" ] && [ "$(cat "$1/.stamp")" = "$2" ]
}

need() {
    command -v "$1" >/dev/null 2>&1 || { say "$1 is missing; $2"; exit 1; }
}

need node "install Node 20 or newer"
need npm "install npm"
need python3 "install Python 3.10 or newer"

if ! python3 -c 'import venv, ensurepip' >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing python3-venv"
        apt-get install -y -qq python3-venv >/dev/null || { apt-get update -qq; apt-get install -y -qq python3-venv >/dev/null; }
    else
        say "python3-venv is missing: sudo apt-get install python3-venv"
        exit 1
    fi
fi

want="$(stamp package.json package-lock.json)-$(node --version)"
if ! fresh node_modules "$want"; then
    say "npm packages"
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error >&2
    printf '%s' "$want" >node_modules/.stamp
fi

python() { # python FOLDER REQUIREMENTS
    want="$(stamp "$2")-$(python3 -c 'import sys; print(sys.version_info[:3])')"
    if fresh "$1" "$want"; then return 0; fi
    say "$1 from $2"
    rm -rf "$1"
    python3 -m venv "$1"
    "$1/bin/pip" install --quiet --disable-pip-version-check --requirement "$2" >&2
    printf '%s' "$want" >"$1/.stamp"
}
python .venv requirements.txt
python .venv-legacy requirements-legacy.txt

# The examples are in the source distribution only. pip builds its metadata on the way, with hatchling from the same index.
mcp="$(sed -n 's/^mcp==//p' requirements.txt)"
if ! fresh sdist "$mcp"; then
    say "source of mcp $mcp"
    rm -rf sdist
    mkdir sdist
    .venv/bin/pip download --quiet --disable-pip-version-check --no-binary mcp --no-deps --dest sdist "mcp==$mcp" >&2
    tar -xzf "sdist/mcp-$mcp.tar.gz" -C sdist
    rm "sdist/mcp-$mcp.tar.gz"
    printf '%s' "$mcp" >sdist/.stamp
fi
say "ready"
