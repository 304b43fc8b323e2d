#!/usr/bin/env bash
# Makes the pictures of README.md again: docs/images/*.jpg, small, from the examples.
#
#   scripts/gallery.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case "${1:-}" in
    "") ;;
    -h | --help) show_help ;;
    *) wrong_usage "unknown argument '$1'" ;;
esac

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images
for example in range island aged-dem; do
    say "Building examples/$example.toml"
    build/release/thalweg build "examples/$example.toml" --out "$work/$example" --progress none
    for picture in view map; do
        gdal_translate -q -of JPEG -co QUALITY=88 -outsize 1000 0 -r lanczos "$work/$example/${example}_$picture.png" \
            "docs/images/${example}_$picture.jpg"
        rm -f "docs/images/${example}_$picture.jpg.aux.xml"
    done
done
