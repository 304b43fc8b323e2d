#include "thalweg/io/vector/outline_polygons.hpp"

namespace thalweg {
namespace {

OGRLinearRing line_of(const Neighbourhood& ring) {
    OGRLinearRing line;
    for (const Position& corner : ring) line.addPoint(corner.x, corner.y);
    line.closeRings();
    return line;
}

}  // namespace

OGRMultiPolygon polygons_of(const std::vector<OutlinePart>& parts) {
    OGRMultiPolygon polygons;
    for (const OutlinePart& part : parts) {
        OGRPolygon polygon;
        OGRLinearRing outer = line_of(part.outer);
        polygon.addRing(&outer);
        for (const Neighbourhood& hole : part.holes) {
            OGRLinearRing line = line_of(hole);
            polygon.addRing(&line);
        }
        polygons.addGeometry(&polygon);
    }
    polygons.set3D(FALSE);
    return polygons;
}

}  // namespace thalweg
