#include "thalweg/io/courses.hpp"

#include "thalweg/io/vector/vector_file.hpp"

#include <array>
#include <utility>

namespace thalweg {
namespace {

constexpr std::array<std::pair<MeanderEventKind, const char*>, 5> kEventNames = {
    {{MeanderEventKind::Cutoff, "cutoff"},
     {MeanderEventKind::Crevasse, "crevasse"},
     {MeanderEventKind::Avulsion, "avulsion"},
     {MeanderEventKind::Capture, "capture"},
     {MeanderEventKind::Chute, "chute"}}};

const char* name_of(MeanderEventKind kind) {
    for (const auto& [known, name] : kEventNames)
        if (known == kind) return name;
    return "";
}

void write_history(VectorFile& file, const MeanderHistory& history) {
    OGRLayer& layer = file.add_layer("history", wkbLineString);
    file.add_field(layer, "year", OFTReal);
    file.add_field(layer, "reach_id", OFTInteger64);
    file.add_field(layer, "width_m", OFTReal);
    for (const RecordedNetwork& network : history.networks)
        for (const RecordedChannel& channel : network.channels) {
            const FeaturePointer feature = VectorFile::feature_of(layer);
            feature->SetField("year", network.year);
            feature->SetField("reach_id", static_cast<GIntBig>(channel.reach));
            feature->SetField("width_m", static_cast<double>(channel.width[channel.width.size() / 2]));
            OGRLineString line;
            for (std::size_t i = 0; i < channel.x.size(); ++i)
                line.addPoint(history.origin_x + channel.x[i], history.origin_y + channel.y[i]);
            file.add_feature(layer, *feature, line);
        }
}

void write_oxbows(VectorFile& file, const MeanderHistory& history) {
    OGRLayer& layer = file.add_layer("oxbow", wkbLineString25D);
    file.add_field(layer, "course_id", OFTInteger64);
    file.add_field(layer, "reach_id", OFTInteger64);
    file.add_field(layer, "year", OFTReal);
    file.add_field(layer, "cause", OFTString);
    file.add_field(layer, "width_m", OFTReal);
    file.add_field(layer, "length_m", OFTReal);
    for (const AbandonedCourse& course : history.courses) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        feature->SetField("course_id", static_cast<GIntBig>(course.id));
        feature->SetField("reach_id", static_cast<GIntBig>(course.reach));
        feature->SetField("year", course.year);
        feature->SetField("cause", name_of(course.cause));
        feature->SetField("width_m", static_cast<double>(course.line.values.width[course.line.size() / 2]));
        feature->SetField("length_m", length_of(course.line));
        OGRLineString line;
        for (const RiverPoint& point : points_of(course.line)) line.addPoint(point.x, point.y, point.z);
        file.add_feature(layer, *feature, line);
    }
}

void write_events(VectorFile& file, const MeanderHistory& history) {
    OGRLayer& layer = file.add_layer("event", wkbPoint);
    file.add_field(layer, "year", OFTReal);
    file.add_field(layer, "kind", OFTString);
    file.add_field(layer, "reach_id", OFTInteger64);
    file.add_field(layer, "course_id", OFTInteger64);
    for (const MeanderEvent& event : history.events) {
        const FeaturePointer feature = VectorFile::feature_of(layer);
        feature->SetField("year", event.year);
        feature->SetField("kind", name_of(event.kind));
        feature->SetField("reach_id", static_cast<GIntBig>(event.reach));
        feature->SetField("course_id", static_cast<GIntBig>(event.course));
        const OGRPoint point(event.x, event.y);
        file.add_feature(layer, *feature, point);
    }
}

}  // namespace

void write_courses(const std::filesystem::path& path, const MeanderHistory& history, const std::string& crs) {
    write_vector_file(path, network_format_of(path), crs, [&](VectorFile& file) {
        write_history(file, history);
        if (file.format() != NetworkFormat::GeoPackage) return;
        write_oxbows(file, history);
        write_events(file, history);
    });
}

}  // namespace thalweg
