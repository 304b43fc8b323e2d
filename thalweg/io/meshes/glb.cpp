#include "thalweg/core/error.hpp"
#include "thalweg/core/srgb.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_EXTERNAL_IMAGE
#include <tiny_gltf.h>

namespace thalweg {
namespace {

constexpr std::uint32_t kNoVertex = std::numeric_limits<std::uint32_t>::max();

/// Vertices and triangles of a surface: cells with data that belong to a whole square of four.
struct Triangulation {
    std::vector<std::int64_t> cells;     // of the vertices
    std::vector<std::uint32_t> corners;  // three a triangle, anticlockwise from above
};

Triangulation triangulated(const SurfaceMesh& mesh) {
    const Field<float>& z = mesh.elevation;
    Triangulation triangulation;
    std::vector<std::uint32_t> vertex(static_cast<std::size_t>(z.size()), kNoVertex);
    const auto vertex_of = [&](int column, int row) {
        const std::int64_t cell = z.grid().index(column, row);
        std::uint32_t& known = vertex[static_cast<std::size_t>(cell)];
        if (known == kNoVertex) {
            known = static_cast<std::uint32_t>(triangulation.cells.size());
            triangulation.cells.push_back(cell);
        }
        return known;
    };
    for (int row = 0; row + 1 < z.rows(); ++row) {
        for (int column = 0; column + 1 < z.columns(); ++column) {
            if (is_no_data(z(column, row)) || is_no_data(z(column + 1, row)) ||
                is_no_data(z(column, row + 1)) || is_no_data(z(column + 1, row + 1)))
                continue;
            const std::uint32_t north_west = vertex_of(column, row);
            const std::uint32_t north_east = vertex_of(column + 1, row);
            const std::uint32_t south_west = vertex_of(column, row + 1);
            const std::uint32_t south_east = vertex_of(column + 1, row + 1);
            for (const std::uint32_t corner :
                 {north_west, south_west, south_east, north_west, south_east, north_east})
                triangulation.corners.push_back(corner);
        }
    }
    if (triangulation.corners.empty())
        throw Error::input(
            fmt::format("mesh '{}' has no 2 x 2 cells with data, and at least one such square "
                        "is needed",
                        mesh.name));
    return triangulation;
}

void check_mesh(const SurfaceMesh& mesh) {
    for (const Field<float>* const field : {&mesh.velocity_east, &mesh.velocity_north, &mesh.foam})
        if (!field->empty() && field->grid() != mesh.elevation.grid())
            throw Error::input(
                fmt::format("velocity and foam of mesh '{}' must lie on the grid of its "
                            "elevation",
                            mesh.name));
    if (!mesh.colours.rgb.empty() &&
        (mesh.colours.width != mesh.elevation.columns() || mesh.colours.height != mesh.elevation.rows()))
        throw Error::input(
            fmt::format("colours of mesh '{}' are {} x {} pixels: give {} x {}, one for each "
                        "cell",
                        mesh.name, mesh.colours.width, mesh.colours.height, mesh.elevation.columns(),
                        mesh.elevation.rows()));
}

/// A model that grows by arrays of numbers, all in one buffer.
class GlbModel {
  public:
    GlbModel() {
        model_.asset.version = "2.0";
        model_.asset.generator = "Thalweg";
        model_.buffers.emplace_back();
        model_.scenes.emplace_back();
        model_.defaultScene = 0;
    }

    /// Adds an array of `components` numbers an element; gives the place of its accessor.
    template <class T>
    int add(const std::vector<T>& values, int components, int component_type, int target) {
        std::vector<unsigned char>& bytes = model_.buffers.front().data;
        tinygltf::BufferView view;
        view.buffer = 0;
        view.byteOffset = bytes.size();
        view.byteLength = values.size() * sizeof(T);
        view.target = target;
        if (bytes.size() + view.byteLength > std::numeric_limits<std::uint32_t>::max())
            throw Error::input(
                "meshes of more than 4 GiB do not go into one .glb file: give a smaller window "
                "or larger cells");
        bytes.resize(bytes.size() + view.byteLength);
        std::memcpy(bytes.data() + view.byteOffset, values.data(), view.byteLength);
        model_.bufferViews.push_back(view);
        tinygltf::Accessor accessor;
        accessor.bufferView = static_cast<int>(model_.bufferViews.size()) - 1;
        accessor.componentType = component_type;
        accessor.count = values.size() / static_cast<std::size_t>(components);
        accessor.type = components == 1 ? TINYGLTF_TYPE_SCALAR : components;  // VEC2 is 2, VEC3 is 3
        model_.accessors.push_back(accessor);
        return static_cast<int>(model_.accessors.size()) - 1;
    }

    int add_vertices(const std::vector<float>& values, int components) {
        return add(values, components, TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_TARGET_ARRAY_BUFFER);
    }

    tinygltf::Accessor& accessor(int place) { return model_.accessors[static_cast<std::size_t>(place)]; }

    void add_node(const std::string& name, tinygltf::Primitive primitive, const MeshMaterial& material) {
        tinygltf::Material surface;
        surface.name = name;
        surface.pbrMetallicRoughness.baseColorFactor = {material.red, material.green, material.blue,
                                                        material.opacity};
        surface.pbrMetallicRoughness.metallicFactor = 0.0;
        surface.pbrMetallicRoughness.roughnessFactor = material.roughness;
        surface.doubleSided = true;
        if (material.opacity < 1.0F) surface.alphaMode = "BLEND";
        model_.materials.push_back(surface);
        primitive.material = static_cast<int>(model_.materials.size()) - 1;
        primitive.mode = TINYGLTF_MODE_TRIANGLES;
        tinygltf::Mesh mesh;
        mesh.name = name;
        mesh.primitives.push_back(std::move(primitive));
        model_.meshes.push_back(std::move(mesh));
        tinygltf::Node node;
        node.name = name;
        node.mesh = static_cast<int>(model_.meshes.size()) - 1;
        model_.nodes.push_back(node);
        model_.scenes.front().nodes.push_back(static_cast<int>(model_.nodes.size()) - 1);
    }

    void say_origin(Position origin, const std::string& crs) {
        tinygltf::Value::Object extras;
        extras["origin"] =
            tinygltf::Value(tinygltf::Value::Array{tinygltf::Value(origin.x), tinygltf::Value(origin.y)});
        extras["crs"] = tinygltf::Value(crs);
        model_.scenes.front().extras = tinygltf::Value(std::move(extras));
    }

    [[nodiscard]] std::string bytes() {
        std::ostringstream stream;
        tinygltf::TinyGLTF writer;
        if (!writer.WriteGltfSceneToStream(&model_, stream, false, true))
            throw Error::failure("a .glb file could not be put together");
        return std::move(stream).str();
    }

  private:
    tinygltf::Model model_;
};

/// Least and greatest component, which glTF wants of positions.
void say_bounds(tinygltf::Accessor& accessor, const std::vector<float>& positions) {
    accessor.minValues.assign(3, std::numeric_limits<double>::infinity());
    accessor.maxValues.assign(3, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        accessor.minValues[i % 3] = std::min(accessor.minValues[i % 3], static_cast<double>(positions[i]));
        accessor.maxValues[i % 3] = std::max(accessor.maxValues[i % 3], static_cast<double>(positions[i]));
    }
}

std::vector<float> positions_of(const SurfaceMesh& mesh, const Triangulation& vertices, Position origin) {
    const Grid& grid = mesh.elevation.grid();
    std::vector<float> positions;
    positions.reserve(3 * vertices.cells.size());
    for (const std::int64_t cell : vertices.cells) {
        positions.push_back(static_cast<float>(grid.x(grid.column_of(cell)) - origin.x));
        positions.push_back(mesh.elevation[cell]);
        positions.push_back(static_cast<float>(origin.y - grid.y(grid.row_of(cell))));
    }
    return positions;
}

std::vector<float> normals_of(const SurfaceMesh& mesh, const Triangulation& vertices) {
    const Gradient rise = gradient(mesh.elevation);
    std::vector<float> normals;
    normals.reserve(3 * vertices.cells.size());
    for (const std::int64_t cell : vertices.cells) {
        const float east = rise.east[cell];
        const float north = rise.north[cell];
        const float length = std::sqrt(east * east + north * north + 1.0F);
        normals.push_back(-east / length);
        normals.push_back(1.0F / length);
        normals.push_back(north / length);
    }
    return normals;
}

/// Linear light, as glTF wants colours of vertices.
std::vector<float> colours_of(const SurfaceMesh& mesh, const Triangulation& vertices) {
    std::vector<float> colours;
    colours.reserve(3 * vertices.cells.size());
    for (const std::int64_t cell : vertices.cells)
        for (std::size_t k = 0; k < 3; ++k)
            colours.push_back(srgb_to_linear(
                static_cast<float>(mesh.colours.rgb[3 * static_cast<std::size_t>(cell) + k]) / 255.0F));
    return colours;
}

std::vector<float> values_of(std::initializer_list<const Field<float>*> fields,
                             const Triangulation& vertices) {
    std::vector<float> values;
    values.reserve(fields.size() * vertices.cells.size());
    for (const std::int64_t cell : vertices.cells)
        for (const Field<float>* const field : fields)
            values.push_back(is_no_data((*field)[cell]) ? 0.0F : (*field)[cell]);
    return values;
}

void add_mesh(const SurfaceMesh& mesh, Position origin, GlbModel& model) {
    check_mesh(mesh);
    const Triangulation triangulation = triangulated(mesh);
    tinygltf::Primitive primitive;
    const std::vector<float> positions = positions_of(mesh, triangulation, origin);
    const int places = model.add_vertices(positions, 3);
    say_bounds(model.accessor(places), positions);
    primitive.attributes["POSITION"] = places;
    primitive.attributes["NORMAL"] = model.add_vertices(normals_of(mesh, triangulation), 3);
    if (!mesh.colours.rgb.empty())
        primitive.attributes["COLOR_0"] = model.add_vertices(colours_of(mesh, triangulation), 3);
    if (!mesh.velocity_east.empty() && !mesh.velocity_north.empty())
        primitive.attributes["_VELOCITY"] =
            model.add_vertices(values_of({&mesh.velocity_east, &mesh.velocity_north}, triangulation), 2);
    if (!mesh.foam.empty())
        primitive.attributes["_FOAM"] = model.add_vertices(values_of({&mesh.foam}, triangulation), 1);
    primitive.indices = model.add(triangulation.corners, 1, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                                  TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    model.add_node(mesh.name, std::move(primitive), mesh.material);
}

}  // namespace

void write_glb(const std::filesystem::path& path, std::span<const SurfaceMesh> meshes) {
    if (meshes.empty()) throw Error::input("a .glb file needs at least one mesh");
    const Grid& first = meshes.front().elevation.grid();
    const Position origin{first.west + 0.5 * first.width(), first.north - 0.5 * first.height()};
    GlbModel model;
    for (const SurfaceMesh& mesh : meshes) add_mesh(mesh, origin, model);
    model.say_origin(origin, first.crs);
    const std::string bytes = model.bytes();
    write_file_atomically(path, std::as_bytes(std::span(bytes)));
}

}  // namespace thalweg
