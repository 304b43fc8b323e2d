#!/usr/bin/env bash
# Draws a sheet of 24 patches of terrain, half of real elevation and half of examples/mountains.toml, in the same shading and
# in an order that a hash decides: can a fresh pair of eyes tell them apart?
#
#   scripts/patch-sheet.sh SHEET.png DEM.tif... [--seed N] [--first-seed N] [--cells N]
#
# SHEET.png        the sheet, six patches to a row; SHEET.key.txt beside it says which are real
# DEM.tif          real elevation in metres, with square cells of 30 m; needs no other data
# --seed N         decides which patches are cut, and their order (1)
# --first-seed N   of the mountains; six are grown, with seeds from here on (1)
# --cells N        side of a patch in cells (200)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

seed=1
first_seed=1
cells=200
files=()
while [ $# -gt 0 ]; do
    case "$1" in
        --seed | --first-seed | --cells)
            [ $# -gt 1 ] || wrong_usage "$1 needs a number"
            case "$1" in --seed) seed="$2" ;; --first-seed) first_seed="$2" ;; *) cells="$2" ;; esac
            shift
            ;;
        -h | --help) show_help ;;
        -*) wrong_usage "unknown argument '$1'" ;;
        *) files+=("$1") ;;
    esac
    shift
done
[ "${#files[@]}" -ge 2 ] || wrong_usage "give a sheet to draw, and real elevation"
sheet="$(realpath -m "${files[0]}")"
dems=("${files[@]:1}")
program="$root/build/release/thalweg"
[ -d "$(dirname "$sheet")" ] || fail "there is no folder $(dirname "$sheet")"
[ -x "$program" ] || fail "there is no build/release/thalweg: run scripts/build.sh"

patches=12 # of each kind
columns=6
rows=$((2 * patches / columns))
shown=250 # pixels along a patch
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# draw <text>: a whole number that the seed and the text decide.
draw() { echo $((0x$(printf '%s %s' "$seed" "$1" | sha256sum | cut -c1-8))); }

size_of() { gdalinfo "$1" | sed -n 's/^Size is \([0-9]*\), \([0-9]*\)/\1 \2/p'; }

# cut <kind> <number> <DEM>: tries places of the raster, none of which overlap, until one is whole and no plain.
cut_patch() {
    local width height across down place name column row least most
    name="$(basename "$3")"
    read -r width height <<<"$(size_of "$3")"
    across=$((width / cells))
    while read -r _ place; do
        [ ! -e "$work/taken.$name.$place" ] || continue
        touch "$work/taken.$name.$place"
        down=$((place / across))
        column=$((place % across * cells + $(draw "$name x") % (width % cells + 1)))
        row=$((down * cells + $(draw "$name y") % (height % cells + 1)))
        gdal_translate -q -of GTiff -srcwin "$column" "$row" "$cells" "$cells" "$3" "$work/patch.tif"
        read -r least most <<<"$(gdalinfo -stats "$work/patch.tif" | sed -n 's/.*Minimum=\([-0-9.]*\), Maximum=\([-0-9.]*\),.*/\1 \2/p')"
        rm -f "$work/patch.tif.aux.xml"
        if awk -v a="${least:-0}" -v b="${most:-0}" 'BEGIN { exit !(b - a > 400 && a > -100) }'; then
            "$program" render "$work/patch.tif" -o "$work/$1$2.png" --tint grey --no-legend --exaggeration 1 \
                --size "$shown" --progress none >/dev/null
            return 0
        fi
    done < <(for place in $(seq 0 $((across * (height / cells) - 1))); do echo "$(draw "$name $place") $place"; done | sort -n)
    fail "$3 has no more places of $cells cells with 400 m of relief: give a smaller number of --cells"
}

say "Growing six mountains"
for i in 0 1 2 3 4 5; do
    "$program" build examples/mountains.toml --seed $((first_seed + i)) --set 'grid.extent=[30720,30720]' --no-cache \
        --set 'output.pictures=[]' --set 'output.layers=["elevation"]' --out "$work/grown$i" --progress none >/dev/null
    mv "$work/grown$i/mountains_elevation.tif" "$work/grown$i.tif"
done
say "Cutting patches"
for i in $(seq 0 $((patches - 1))); do
    cut_patch grown "$i" "$work/grown$((i / 2)).tif"
    cut_patch real "$i" "${dems[$((i % ${#dems[@]}))]}"
done

# The order: by a hash of the kind and the number.
order=()
while read -r _ name; do order+=("$name"); done < <(
    for kind in grown real; do
        for i in $(seq 0 $((patches - 1))); do echo "$(draw "place $kind $i") $kind$i"; done
    done | sort -n)
gap=6
step=$((shown + gap))
{
    echo "<VRTDataset rasterXSize=\"$((columns * step - gap))\" rasterYSize=\"$((rows * step - gap))\">"
    for band in 1 2 3; do
        echo "<VRTRasterBand dataType=\"Byte\" band=\"$band\">"
        for i in "${!order[@]}"; do
            echo "<SimpleSource><SourceFilename>$work/${order[$i]}.png</SourceFilename><SourceBand>$band</SourceBand>"
            row=$((i / columns))
            echo "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"$shown\" ySize=\"$shown\"/>"
            echo "<DstRect xOff=\"$((i % columns * step))\" yOff=\"$((row * step))\" xSize=\"$shown\" ySize=\"$shown\"/></SimpleSource>"
        done
        echo "</VRTRasterBand>"
    done
    echo "</VRTDataset>"
} >"$work/sheet.vrt"
gdal_translate -q -of PNG "$work/sheet.vrt" "$sheet"
rm -f "$sheet.aux.xml"
for i in "${!order[@]}"; do echo "row $((i / columns + 1)), patch $((i % columns + 1)): ${order[$i]}"; done >"${sheet%.*}.key.txt"
say "Wrote $sheet and ${sheet%.*}.key.txt"
