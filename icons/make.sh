#!/bin/sh
# Renders every icon from the two drawings. Needs rsvg-convert (Debian: librsvg2-bin); the results are committed, so
# that a build doesn't need it. rsvg-convert writes 8-bit RGBA, which Tauri asks for.
set -eu
cd "$(dirname "$0")"

draw() { # draw SIZE FILE [DRAWING]
    rsvg-convert --width "$1" --height "$1" --output "$2" "${3:-gatehouse.svg}"
}

# At 16 px the large drawing's bars run together: that size has a drawing of its own.
draw 16 16x16.png gatehouse-small.svg
draw 24 24x24.png
draw 32 32x32.png
draw 48 48x48.png
draw 64 64x64.png
draw 128 128x128.png
draw 256 128x128@2x.png
draw 256 256x256.png
draw 512 512x512.png
draw 512 icon.png
