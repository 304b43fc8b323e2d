#!/usr/bin/env bash
# Makes the pictures of README.md and docs/ again: docs/images/*.jpg and *.webp, small, from the examples, with
# build/release/thalweg as it is (scripts/build.sh; `copies` and `river-types` take the benchmarks too: scripts/build.sh --all).
#
#   scripts/gallery.sh            all of them
#   scripts/gallery.sh NAME...    these alone: coast, mountains, range, island, aged-dem, slope-classes, grid, copies,
#                                 kept-network, rock-and-rain, hillslopes, creep, history, fold-belt, valley-fill, slope-exponent, baselines, deposition, aging, canyon, leheny, particle-plain,
#                                 particle-canyon, particle-soil, pigment-washing,
#                                 storms, analyses, compare, drawn-network, lakes, masks, fans, playas, meanders, river-widths, meander-belt,
#                                 river-network, valley-meanders, carved-meanders, steep-rivers, flood-plain, metrics, avulsions,
#                                 regional-avulsions, braided-river, river-delta, vegetated-river, wandering,
#                                 riverscape, flowing-river, river-types, controlled-rivers, editing-rivers,
#                                 plateau-river, torrent, braided-valley, mountain-rivers, river-collisions
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

every_picture="$(show_help | sed -n '/NAME\.\.\./,$p' | sed 's/.*alone: //' | tr -d ' \n' | tr ',' ' ')"
pictures=()
for argument in "$@"; do
    case "$argument" in
        -h | --help) show_help ;;
        -*) wrong_usage "unknown argument '$argument'" ;;
        *)
            [[ " $every_picture " == *" $argument "* ]] || wrong_usage "there is no picture '$argument'"
            pictures+=("$argument")
            ;;
    esac
done
[ "${#pictures[@]}" -gt 0 ] || read -ra pictures <<<"$every_picture"
[ -x build/release/thalweg ] || fail "there is no build/release/thalweg: run scripts/build.sh"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images

# Builds an example, unless the folder is there; further arguments go to `thalweg build`.
#   build_example NAME FOLDER [ARGUMENT]...
build_example() {
    local example="$1" folder="$2"
    shift 2
    [ ! -d "$work/$folder" ] || return 0
    printf '   examples/%s.toml %s\n' "$example" "$*"
    build/release/thalweg build "examples/$example.toml" --out "$work/$folder" --progress none "$@" >/dev/null
}

# Writes a picture as a JPEG.
#   as_jpeg NAME PICTURE QUALITY PIXELS
as_jpeg() {
    gdal_translate -q -of JPEG -co "QUALITY=$3" -outsize "$4" 0 -r lanczos "$2" "docs/images/$1.jpg"
    rm -f "docs/images/$1.jpg.aux.xml"
}

# Puts pictures of one size beside each other, as a JPEG of 1500 pixels.
#   side_by_side NAME PICTURE...
side_by_side() {
    local name="$1" size width height band picture place
    shift
    size="$(gdalinfo "$1" | sed -n 's/^Size is //p')"
    width="${size%,*}"
    height="${size#*, }"
    {
        echo "<VRTDataset rasterXSize=\"$((width * $#))\" rasterYSize=\"$height\">"
        for band in 1 2 3; do
            echo "<VRTRasterBand dataType=\"Byte\" band=\"$band\">"
            place=0
            for picture in "$@"; do
                echo "<SimpleSource><SourceFilename>$picture</SourceFilename><SourceBand>$band</SourceBand>"
                echo "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"$width\" ySize=\"$height\"/>"
                echo "<DstRect xOff=\"$place\" yOff=\"0\" xSize=\"$width\" ySize=\"$height\"/></SimpleSource>"
                place=$((place + width))
            done
            echo "</VRTRasterBand>"
        done
        echo "</VRTDataset>"
    } >"$work/$name.vrt"
    as_jpeg "$name" "$work/$name.vrt" 85 1500
}

# View and map of an example.
view_and_map() {
    build_example "$1" "$1"
    as_jpeg "$1_view" "$work/$1/$1_view.png" 88 1000
    as_jpeg "$1_map" "$work/$1/$1_map.png" 88 1000
}

make_coast() {
    build_example coast coast
    as_jpeg coast_view "$work"/coast/coast_view.png 88 1000
}
# A block of folded rock that has risen for 800 000 years.
make_mountains() {
    build_example mountains mountains --set output.pictures=map,view,layers
    as_jpeg mountains_rock "$work"/mountains/mountains_formation_map.png 84 800
    as_jpeg mountains_view "$work"/mountains/mountains_view.png 88 1000
    as_jpeg mountains_map "$work"/mountains/mountains_map.png 80 800
}

# The mountains as they rise.
make_history() {
    build_example mountains history --times 0,2e5,8e5 --set 'output.pictures=["view"]' --set 'output.layers=["elevation"]'
    side_by_side history "$work"/history/mountains_view_{0000,0001,0002}.png
}
# Rock in long folds.
make_fold-belt() {
    build_example mountains fold-belt --seed 6 --set rock.preset=fold_belt --set 'output.pictures=["view"]'
    as_jpeg fold-belt "$work"/fold-belt/mountains_view.png 86 900
}
# A valley that cuts down, and one full of alluvium: 12 km of each, shaded.
make_valley-fill() {
    local folder
    build_example valley-fill canyons --set 'output.pictures=[]' --set floors.fill=0
    build_example valley-fill filled --set 'output.pictures=[]'
    for folder in canyons filled; do
        gdaldem hillshade -q -z 2 "$work/$folder/valley-fill_elevation.tif" "$work/$folder/shade.tif"
        gdal_translate -q -b 1 -b 1 -b 1 -srcwin 20 640 500 340 "$work/$folder/shade.tif" "$work/$folder/near.png"
    done
    side_by_side valley-fill "$work"/{canyons,filled}/near.png
}
# Ground that soil has not crept on yet, and where it has, and slopes have slid.
make_creep() {
    build_example creep sharp --set hillslopes.time=0 --set hillslopes.landslides=0
    build_example creep crept
    side_by_side creep "$work"/{sharp,crept}/creep_view.png
}
make_range() { view_and_map range; }
make_island() { view_and_map island; }
make_aged-dem() { view_and_map aged-dem; }

# The stream power law, slopes in two classes (Tzathas et al. 2024, fig. 6), and in four.
make_slope-classes() {
    build_example slope-classes law --set erode.slope_classes=
    build_example slope-classes two --set "erode.slope_classes=0,0.6;5e5,0.06"
    build_example slope-classes four
    side_by_side slope-classes "$work"/{law,two,four}/slope-classes_view.png
}

# Rivers along the grid and rivers without one: the variant of the paper, and ours.
make_grid() {
    build_example paper-variant paper
    build_example paper-variant ours --set erode.lattice=mesh --set erode.receivers=steepest
    side_by_side grid "$work"/{paper,ours}/paper-variant_map.png
}

# Squares turned against the grid and turned back: with the paper's lattice one sees the grid, on the mesh none.
make_copies() {
    build/release/benchmarks/erosion_quality copies "$work/copies.png" 1024
    as_jpeg copies "$work/copies.png" 80 1100
}

# The drainage of a terrain kept for a million years, without and with the optimisation (as fig. 4 of the paper).
make_kept-network() {
    build_example kept-network cliffs --set erode.optimisation_iterations=0
    build_example kept-network optimised
    build_example drawn-rivers drawn
    side_by_side kept-network "$work"/{cliffs,optimised}/kept-network_view.png "$work"/drawn/drawn-rivers_view.png
}

# Bands of hard rock, rain from the west, one outlet: each alone.
make_rock-and-rain() {
    build_example rock-and-rain rock --set erode.precipitation_factor=1 --set erode.boundary=0
    build_example rock-and-rain rain --set erode.erodibility=2e-5 --set erode.boundary=0
    build_example rock-and-rain outlet --set erode.erodibility=2e-5 --set erode.precipitation_factor=1
    side_by_side rock-and-rain "$work"/{rock,rain,outlet}/rock-and-rain_map.png
}

# Water alone, with landslides, with creep.
make_hillslopes() {
    build_example hillslopes water --set erode.hillslope=false --set erode.thermal=false
    build_example hillslopes landslides --set erode.hillslope=false
    build_example hillslopes creep --set erode.thermal=false
    side_by_side hillslopes "$work"/{water,landslides,creep}/hillslopes_view.png
}

# The range by the law alone: steady state on even rock.
by_law=(--set erode.time=inf --set erode.thermal_erosion=0 --set floors.floor_width=0 --set hillslopes.time=0
    --set hillslopes.landslides=0 --set hillslopes.gully_time=0 --set hillslopes.roughness=0 --set hillslopes.grain=0
    --set hillslopes.cell_means=0)
# The range with other exponents of slope.
make_slope-exponent() {
    build_example range gentle "${by_law[@]}" --set erode.slope_exponent=0.7 --set erode.erodibility=1.2e-5
    build_example range linear "${by_law[@]}" --set erode.erodibility=2e-5
    build_example range square "${by_law[@]}" --set erode.slope_exponent=2 --set erode.erodibility=1e-4
    side_by_side slope-exponent "$work"/{gentle,linear,square}/range_view.png
}

# A million years in closed form, by the fixed point and by steps in time.
make_baselines() {
    build_example baselines closed
    build_example baselines fixed --set erode.method=fixed_point
    build_example baselines steps --set erode.method=stepping
    side_by_side baselines "$work"/{closed,fixed,steps}/baselines_view.png
}

# A mountain front without and with deposition.
make_deposition() {
    build_example mountain-front bare --set erode.deposition=0
    build_example mountain-front deposited
    side_by_side deposition "$work"/{bare,deposited}/mountain-front_view.png
}

# A range that grows, as an animation.
make_aging() {
    build_example aging aging --times 0:1.5e6:40 --animation docs/images/aging.webp --animation-view --animation-size 560
}

# An escarpment at two times, and a canyon (Tzathas et al. 2024, figs. 12 and 13).
make_canyon() {
    build_example escarpment young --set erode.time=2e5
    build_example escarpment old
    build_example canyon canyon
    side_by_side canyon "$work"/{young,old}/escarpment_view.png "$work"/canyon/canyon_view.png
}

# Single units of rain on a plane and on a peak (Leheny 1995).
make_leheny() {
    build_example leheny plane
    build_example leheny peak --set rain.start=peak
    side_by_side leheny "$work"/{plane,peak}/leheny_map.png
}

# A plain before and after, with and without momentum.
make_particle-plain() {
    build_example particle-plain plain
    build_example particle-plain straight --set particles.momentum_transfer=0
    side_by_side particle-plain "$work"/{straight,plain}/particle-plain_discharge_map.png
    build_example particle-plain metrics --set particles.cycles=2200 --set output.pictures= --set output.analyses=png
    as_jpeg particle-metrics "$work"/metrics/particle-plain_particle_metrics.png 85 1000
    build_example particle-plain frames --every 50 --set particles.cycles=2200 --set output.pictures= \
        --animation docs/images/particle-plain.webp --animation-layer discharge --animation-size 400 --frame-rate 5
}

# A table land of one material, and of the beds of its rock.
make_particle-canyon() {
    build_example particle-canyon loose --set particles.rock=false --set particles.ground_colours=false --set particles.bedrock_erodibility=1
    build_example particle-canyon beds
    side_by_side particle-canyon "$work"/{loose,beds}/particle-canyon_view.png
}

# Soil and sediment of hills above the sea.
make_particle-soil() {
    build_example particle-soil soil
    side_by_side particle-soil "$work"/soil/particle-soil_{soil,sediment}_map.png
}

# Pigment every twentieth cycle, as an animation.
make_pigment-washing() {
    build_example pigment-washing pigment --every 20 --set output.pictures= \
        --animation docs/images/pigment-washing.webp --animation-layer pigment --animation-size 400 --frame-rate 4
}

# The plane every 500 events, as an animation.
make_storms() {
    build_example leheny storms --every 500 --set output.pictures= --set rain.river_visits=250 \
        --animation docs/images/storms.webp --animation-view --animation-size 440 --frame-rate 6
}

# Slope over area, Hack's law, hypsometry and chi profiles of the range.
make_analyses() {
    build_example range linear "${by_law[@]}" --set erode.erodibility=2e-5
    build/release/thalweg flow "$work/linear/range_elevation.tif" -o "$work/area.tif" --also analyses="$work/analyses.png" \
        --progress none >/dev/null
    as_jpeg analyses "$work/analyses.png" 88 1400
}

# Mountains and noise in numbers.
make_compare() {
    build_example mountains mountains --set output.pictures=map,view,layers
    ln -sf mountains/mountains_elevation.tif "$work/mountains.tif"
    build/release/thalweg noise --extent 25600,25600 --cells 1024 --amplitude 1500 -o "$work/noise.tif" --progress none >/dev/null
    build/release/thalweg compare "$work/mountains.tif" "$work/noise.tif" -o "$work/compare.png" --progress none >/dev/null
    as_jpeg compare "$work/compare.png" 78 1100
}

# Rivers as the terrain has them, and with three that were drawn.
make_drawn-network() {
    build_example drawn-network natural --set rivers.drawn_file=
    build_example drawn-network joined
    side_by_side drawn-network "$work"/{natural,joined}/drawn-network_map.png
}

# Lakes after 4 m of runoff, and full.
make_lakes() {
    build_example lakes some
    build_example lakes full --set flow.runoff=inf --set rivers.runoff=inf
    side_by_side lakes "$work"/{some,full}/lakes_water_depth_map.png
}

# What a range has lost, where its water runs, and its ridges.
make_masks() {
    build_example masks masks
    side_by_side masks "$work"/masks/masks_{wear,drainage_area,ridge}_map.png
}

# The foot of the front alone.
make_fans() {
    build_example fans fans
    gdal_translate -q -srcwin 120 440 600 180 "$work/fans/fans_elevation.tif" "$work/front.tif"
    build/release/thalweg render "$work/front.tif" -o "$work/front.png" --tint dry --sun-altitude 25 \
        --exaggeration 2 --progress none >/dev/null
    as_jpeg fans "$work/front.png" 85 1400
}

make_playas() {
    build_example playas playas
    as_jpeg playas "$work/playas/playas_view.png" 80 1000
}

# courses EXAMPLE QUALITY PIXELS: rivers that have wandered.
courses() {
    build_example "$1" "$1"
    as_jpeg "$1" "$work/$1/$1_courses.png" "$2" "$3"
}
make_meanders() { courses meanders 84 1000; }
make_meander-belt() { courses meander-belt 84 1000; }
make_river-network() { courses river-network 82 800; }
make_river-collisions() { courses river-collisions 84 1000; }
make_valley-meanders() { courses valley-meanders 84 1000; }
# The floor of a valley, as it was and with what its river has made of it.
make_carved-meanders() {
    build_example carved-meanders smooth --set meander.shape_ground=false --set output.pictures=
    build_example carved-meanders carved --set output.pictures=
    local state
    for state in smooth carved; do
        gdal_translate -q -srcwin 460 290 330 250 "$work/$state/carved-meanders_elevation.tif" "$work/$state.tif"
        build/release/thalweg render "$work/$state.tif" -o "$work/$state.png" --tint dry --sun-altitude 25 \
            --exaggeration 3 --progress none >/dev/null
    done
    side_by_side carved-meanders "$work"/{smooth,carved}.png
}
make_steep-rivers() { courses steep-rivers 84 1000; }
make_avulsions() { courses avulsions 84 1000; }
make_braided-river() { courses braided-river 84 1000; }
make_river-delta() { courses river-delta 84 1000; }
make_vegetated-river() { courses vegetated-river 84 1000; }
# Water in a river's bed, from its bank.
make_riverscape() {
    build_example riverscape riverscape
    as_jpeg riverscape "$work/riverscape/riverscape_river.png" 50 1280
}
# The scenes of table 2 of Peytavie et al. 2019: maps, and the water of two of them from near by.
#   build_near EXAMPLE WINDOW RESOLUTION OUTPUT...: a window of it, with these lines as output
build_near() {
    local example="$1" window="$2" resolution="$3"
    shift 3
    sed "s/^use = \"water\"/use = \"window\"\nwindow = [$window]\nresolution = $resolution\n\n[[stage]]\n&\nloop_period = 10.0/
        s/^density = .*/density = 1.0/
        /^\[output\]/,\$d" "examples/$example.toml" >"$work/$example-near.toml"
    { echo "[output]" && printf '%s\n' "$@"; } >>"$work/$example-near.toml"
    printf '   examples/%s.toml, from near by\n' "$example"
    build/release/thalweg build "$work/$example-near.toml" --out "$work/$example-near" --progress none >/dev/null
}
make_plateau-river() {
    build_example plateau-river plateau-river
    as_jpeg plateau-river_map "$work/plateau-river/plateau-river_map.png" 80 700
    build_near plateau-river "1895.0, 1285.0, 1965.0, 1335.0" 0.12 'layers = ["foam"]' 'pictures = ["river"]'
    as_jpeg plateau-river "$work/plateau-river-near/plateau-river_river.png" 70 1000
}
# A torrent in the mountains of the largest.
make_torrent() {
    build_near mountain-rivers "21577.7, 8562.9, 21617.7, 8602.9" 0.08 'layers = ["foam"]' 'pictures = ["river"]'
    as_jpeg torrent "$work/mountain-rivers-near/mountain-rivers_river.png" 70 1000
}
make_braided-valley() {
    build_example braided-valley braided-valley --set output.pictures=map
    build_near braided-valley "2450.0, 5150.0, 2950.0, 5650.0" 0.5 'layers = ["velocity"]' 'pictures = ["layers"]'
    side_by_side braided-valley "$work"/{braided-valley/braided-valley_map,braided-valley-near/braided-valley_velocity_map}.png
}
make_mountain-rivers() {
    build_example mountain-rivers mountain-rivers
    as_jpeg mountain-rivers_map "$work/mountain-rivers/mountain-rivers_map.png" 80 800
}
# Rivers that are drawn to a line, driven away and held.
make_controlled-rivers() {
    build_example controlled-rivers controlled-rivers --set output.pictures=courses
    as_jpeg controlled-rivers "$work/controlled-rivers/controlled-rivers_courses.png" 80 800
}
# A session of editing at its beginning, in its middle and at its end.
make_editing-rivers() {
    build_example editing-rivers editing-rivers --times 0,120,240 --set output.pictures=courses
    side_by_side editing-rivers "$work"/editing-rivers/editing-rivers_courses_000{0,1,2}.png
}
# The same for five seconds, as an animation that loops.
make_flowing-river() {
    build_example riverscape flowing-river --times 0:5:61 --set water.loop_period=5 --set water.leaves=1.5 --set water.foam_patches=1.5 \
        --set output.pictures= --set output.layers=foam \
        --animation docs/images/flowing-river.webp --animation-river --animation-size 480
}
# The nine types of rivers: plan, section, profile.
make_river-types() {
    build/release/benchmarks/river_types "$work/types.png"
    as_jpeg river-types "$work/types.png" 70 1200
}
make_regional-avulsions() { courses regional-avulsions 82 1000; }

# Moisture, sediment and plants beside a river.
make_flood-plain() {
    build_example flood-plain flood-plain
    side_by_side flood-plain "$work"/flood-plain/flood-plain_{moisture,deposit,vegetation}_map.png
}

# A network of rivers in numbers, from year to year.
make_metrics() {
    build/release/thalweg meander examples/river-network.geojson --years 400 --channel-width 120 --seed 3 \
        -o "$work/network.gpkg" --also meander_metrics="$work/metrics.png" --progress none >/dev/null
    as_jpeg metrics "$work/metrics.png" 74 1000
}

# Rivers 50, 100 and 200 m wide after 150 years.
make_river-widths() {
    local width
    for width in 50 100 200; do
        build_example river-widths "width-$width" --set "meander.channel_width=$width" \
            --set "project.name=width-$width"
    done
    side_by_side river-widths "$work"/width-{50,100,200}/*_courses.png
}

# The belt as it grows, as an animation.
make_wandering() {
    build_example meander-belt wandering --every 20 --set output.pictures= \
        --animation docs/images/wandering.webp --animation-size 480
}

for picture in "${pictures[@]}"; do
    say "Picture: $picture"
    "make_$picture"
done
git status --short docs/images
