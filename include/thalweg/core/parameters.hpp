// Parameters, declared once beside their struct, that feed the command line, project files, messages and
// docs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace thalweg {

struct ValueTable;

/// A parameter's value as it stands in a project file, on the command line or in Python.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                           std::vector<ValueTable>, std::vector<std::string>>;

/// Names with values, in the order given: one row of a table parameter, or the parameters of a whole struct.
struct ValueTable {
    std::vector<std::pair<std::string, Value>> entries;

    [[nodiscard]] const Value* find(std::string_view name) const;
    friend bool operator==(const ValueTable& a, const ValueTable& b);
};

/// A number that holds everywhere, or the name of a layer or raster file that gives it cell by cell.
struct NumberOrLayer {
    double number = 0.0;
    std::string layer = {};  // when not empty, wins over `number`: a layer's name, or the path of a raster

    [[nodiscard]] bool is_number() const { return layer.empty(); }
};

/// How a parameter is written. A `NumberOrLayer` takes a number or a text.
enum class ParameterType {
    Boolean,
    Integer,
    Number,
    Choice,
    Text,
    File,
    NumberOrLayer,
    NumberList,
    TextList,
    TableList
};

/// What values of a type are called.
struct ParameterTypeNames {
    const char* key;      // in JSON: "number_or_layer"
    const char* noun;     // in a table: "number, layer or raster file"
    const char* allowed;  // in messages, behind "give"
};
const ParameterTypeNames& names_of(ParameterType type);

/// How a slider divides its range: in even steps, or in even steps of the logarithm.
enum class SliderScale { Linear, Logarithmic };

/// The values that are usual for a parameter, which a slider spans. Both ends 0: there is no usual range.
struct UsualRange {
    double minimum = 0.0;
    double maximum = 0.0;
    SliderScale scale = SliderScale::Linear;

    [[nodiscard]] bool empty() const { return minimum == maximum; }
};

/// Which values another parameter of the same table must have: one of `values`, or none of them.
struct ParameterCondition {
    std::string parameter;
    std::vector<Value> values;
    bool is_excluded = false;  // whether `values` are those that it must not have
};

/// Conditions that hold where `parameter` has one of `values`, or none of them.
ParameterCondition equals(std::string parameter, std::vector<Value> values);
ParameterCondition differs(std::string parameter, std::vector<Value> values);

/// What a declaration says of a parameter besides its name and place. Every parameter has a unit ("1" when it
/// has no dimension, "" for texts, choices and flags) and one sentence.
struct ParameterNotes {
    std::string label = "";  // what a form calls it, in the field's words: "Uplift rate"
    std::string group = "";  // the heading under which a form shows it; rows of tables have none
    std::string unit;
    std::string sentence;
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
    UsualRange usual = {};                           // within minimum and maximum
    std::optional<double> automatic = std::nullopt;  // the value that leaves the choice to the program
    std::string source = "";  // where the default or the law comes from, for example "Tzathas 2024, table 1"
    bool infinity_allowed = false;  // whether "inf" is a value, whatever the maximum, and "-inf", where
                                    // there is no minimum (a time of "inf" is the steady state)
    std::size_t list_size = 0;      // for NumberList: exact number of entries, 0 for any
    bool holds_lines = false;       // for File: whether it holds lines (a vector file), not a raster
    bool holds_points = false;      // for File: whether it holds points (a vector file), not a raster
    bool minimum_excluded = false;  // whether the value must be greater than `minimum`, not equal to it
    bool is_advanced = false;       // whether a form may hide it from those who only want a landscape
    std::vector<ParameterCondition> enabled_when = {};  // all of them hold where the value is read at all
    std::string since = "0.1";                          // the program's first version that knows it
    std::string formerly = "";                          // its name in earlier versions, still taken
};

/// One choice of a parameter, and what it does.
struct ParameterChoice {
    std::string name;
    std::string sentence = "";
    std::string formerly = "";  // its name in earlier versions, still taken
};

/// The same with the enumerator that it stands for.
template <class Enum>
struct Choice {
    std::string name;
    Enum value;
    std::string sentence = "";
    std::string formerly = "";
};

class ParameterTable;

/// One declared parameter of a struct that is handled through `void*`.
struct Parameter {
    std::string name;
    ParameterType type;
    ParameterNotes notes;
    std::vector<ParameterChoice> choices;          // for Choice and TextList (where not empty), in order
    const ParameterTable* row = nullptr;           // for TableList: the parameters of one row
    Value default_value;                           // what a default-constructed struct holds
    std::function<Value(const void*)> get;         // reads the member
    std::function<void(void*, const Value&)> put;  // writes a value that has been checked

    /// The value as `put` takes it: an integer where a number is wanted becomes one, a choice by its former
    /// name one by its present name. Throws Error::input with one sentence that names the parameter, the
    /// value and what is allowed when type, range or choices do not hold, in the rows of a table list too.
    [[nodiscard]] Value checked(const Value& value) const;

    /// Checks the value, then writes the member; the object is untouched when it throws, as `checked` does.
    void set(void* object, const Value& value) const;

    /// Whether `key` is its name, or its name in earlier versions.
    [[nodiscard]] bool has_name(std::string_view key) const;

    /// The present name of the choice `text`; a text that is no former name stays.
    [[nodiscard]] const std::string& present_choice(const std::string& text) const;

    /// What to tell of `value` given as `key` where one of the two is a name of earlier versions; else empty.
    [[nodiscard]] std::string former_name_note(std::string_view key, const Value& value) const;

    /// The names of `choices`.
    [[nodiscard]] std::vector<std::string> choice_names() const;

    /// The allowed values in words, for example "from 0 to 1", "greater than 0", "one of simplex, ridged".
    [[nodiscard]] std::string allowed() const;
};

/// The value in the notation of a project file: `0.4`, `"edge"`, `[25600.0, 25600.0]`, `inf`.
std::string to_text(const Value& value);

/// Whether parse_value takes values of `parameter`: all but lists of tables with lists or tables in them.
bool has_text_form(const Parameter& parameter);

/// Parses the text of a command-line flag for `parameter`. A list is written `1,2` or `map,view`, with
/// nothing before, after or between commas left out; an empty text is the empty list of texts, but no list of
/// numbers. A table list is written `1,2,3;4,5,6`: one row behind the other, each with all its values in
/// their order of declaration; an empty text has no rows. Throws Error::input when the text is not of the
/// parameter's type.
Value parse_value(const Parameter& parameter, const std::string& text);

/// All parameters of one struct, in their order of declaration.
class ParameterTable {
  public:
    explicit ParameterTable(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {}

    [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
    /// By its name, or by its former one; nullptr where there is none.
    [[nodiscard]] const Parameter* find(std::string_view name) const;

    /// Throws Error::input that says `name` is unknown and names the nearest known one.
    [[nodiscard]] const Parameter& at(std::string_view name) const;

    /// Whether the value of `parameter` is read while the others are those of `object`, by its
    /// `enabled_when`, and theirs. Throws as `at` does.
    [[nodiscard]] bool is_enabled(const Parameter& parameter, const void* object) const;

    /// Every parameter's present value, in order.
    [[nodiscard]] ValueTable values(const void* object) const;

    /// Checks all entries, then sets each; the object is untouched when it throws, as `Parameter::checked`
    /// and `at` do.
    void assign(void* object, const ValueTable& values) const;

  private:
    std::vector<Parameter> parameters_;
};

template <class T>
class Declaration;

/// The parameters of struct T, which declares them in `static void declare(Declaration<T>&)`.
template <class T>
const ParameterTable& parameters_of();

/// Collects the declarations of struct T, in the order in which forms and pages show them.
///
/// Example:
///     struct Rain {
///         double depth = 0.02;  // m
///         static void declare(Declaration<Rain>& declaration) {
///             declaration.number("depth", &Rain::depth, {.unit = "m", .sentence = "Rain.", .minimum = 0.0});
///         }
///     };
///     Rain rain;
///     parameters_of<Rain>().at("depth").set(&rain, 0.05);
template <class T>
class Declaration {
  public:
    void boolean(std::string name, bool T::* member, ParameterNotes notes) {
        add(
            std::move(name), ParameterType::Boolean, std::move(notes),
            [member](const T& t) { return Value(t.*member); },
            [member](T& t, const Value& v) { t.*member = std::get<bool>(v); });
    }
    /// A whole number; the declared range is cut to what the member can hold.
    template <class Int>
    void integer(std::string name, Int T::* member, ParameterNotes notes) {
        using Limits = std::numeric_limits<Int>;
        if constexpr (sizeof(Int) < sizeof(std::int64_t) || std::is_unsigned_v<Int>)
            notes.minimum = std::max(notes.minimum, static_cast<double>(Limits::min()));
        // The 64-bit types hold every value that a Value can.
        if constexpr (sizeof(Int) < sizeof(std::int64_t))
            notes.maximum = std::min(notes.maximum, static_cast<double>(Limits::max()));
        add(
            std::move(name), ParameterType::Integer, std::move(notes),
            [member](const T& t) { return Value(static_cast<std::int64_t>(t.*member)); },
            [member](T& t, const Value& v) { t.*member = static_cast<Int>(std::get<std::int64_t>(v)); });
    }
    void number(std::string name, double T::* member, ParameterNotes notes) {
        add(
            std::move(name), ParameterType::Number, std::move(notes),
            [member](const T& t) { return Value(t.*member); },
            [member](T& t, const Value& v) { t.*member = std::get<double>(v); });
    }
    void text(std::string name, std::string T::* member, ParameterNotes notes) {
        add(
            std::move(name), ParameterType::Text, std::move(notes),
            [member](const T& t) { return Value(t.*member); },
            [member](T& t, const Value& v) { t.*member = std::get<std::string>(v); });
    }
    void file(std::string name, std::string T::* member, ParameterNotes notes) {
        text(std::move(name), member, std::move(notes));
        parameters_.back().type = ParameterType::File;
    }
    void numbers(std::string name, std::vector<double> T::* member, ParameterNotes notes) {
        add(
            std::move(name), ParameterType::NumberList, std::move(notes),
            [member](const T& t) { return Value(t.*member); },
            [member](T& t, const Value& v) { t.*member = std::get<std::vector<double>>(v); });
    }
    void number_or_layer(std::string name, NumberOrLayer T::* member, ParameterNotes notes) {
        add(
            std::move(name), ParameterType::NumberOrLayer, std::move(notes),
            [member](const T& t) {
                const NumberOrLayer& v = t.*member;
                return v.is_number() ? Value(v.number) : Value(v.layer);
            },
            [member](T& t, const Value& v) {
                if (const auto* layer = std::get_if<std::string>(&v)) {
                    (t.*member).layer = *layer;
                } else {
                    t.*member = NumberOrLayer{std::get<double>(v), ""};
                }
            });
    }
    /// A list of texts, each one of `choices` unless that is empty.
    void texts(std::string name, std::vector<std::string> T::* member, std::vector<ParameterChoice> choices,
               ParameterNotes notes) {
        add(
            std::move(name), ParameterType::TextList, std::move(notes),
            [member](const T& t) { return Value(t.*member); },
            [member](T& t, const Value& v) { t.*member = std::get<std::vector<std::string>>(v); });
        parameters_.back().choices = std::move(choices);
    }
    template <class Enum>
    void choice(std::string name, Enum T::* member, const std::vector<Choice<Enum>>& choices,
                ParameterNotes notes) {
        add(
            std::move(name), ParameterType::Choice, std::move(notes),
            [member, choices](const T& t) {
                for (const Choice<Enum>& choice : choices)
                    if (choice.value == t.*member) return Value(choice.name);
                return Value(std::string());
            },
            [member, choices](T& t, const Value& v) {
                for (const Choice<Enum>& choice : choices)
                    if (choice.name == std::get<std::string>(v)) t.*member = choice.value;
            });
        for (const Choice<Enum>& choice : choices)
            parameters_.back().choices.push_back({choice.name, choice.sentence, choice.formerly});
    }
    /// A list of tables, each a struct with its own declaration (brush strokes, springs, control points).
    template <class Row>
    void tables(std::string name, std::vector<Row> T::* member, ParameterNotes notes) {
        const ParameterTable& row = parameters_of<Row>();
        add(
            std::move(name), ParameterType::TableList, std::move(notes),
            [member, &row](const T& t) {
                std::vector<ValueTable> rows;
                for (const Row& r : t.*member) rows.push_back(row.values(&r));
                return Value(std::move(rows));
            },
            [member, &row](T& t, const Value& v) {
                std::vector<Row> rows;
                for (const ValueTable& values : std::get<std::vector<ValueTable>>(v))
                    row.assign(&rows.emplace_back(), values);
                t.*member = std::move(rows);
            });
        parameters_.back().row = &row;
    }
    /// Takes over all parameters of a member struct, as if they were T's own, but those named in `except`.
    template <class Part>
    void include(Part T::* member, const std::vector<std::string>& except = {}) {
        for (Parameter parameter : parameters_of<Part>().parameters()) {
            if (std::find(except.begin(), except.end(), parameter.name) != except.end()) continue;
            parameter.get = [member, get = parameter.get](const void* t) {
                return get(&(static_cast<const T*>(t)->*member));
            };
            parameter.put = [member, put = parameter.put](void* t, const Value& v) {
                put(&(static_cast<T*>(t)->*member), v);
            };
            parameters_.push_back(std::move(parameter));
        }
    }

    std::vector<Parameter> take() { return std::move(parameters_); }

  private:
    template <class Get, class Put>
    void add(std::string name, ParameterType type, ParameterNotes notes, const Get& get, const Put& put) {
        Parameter parameter;
        parameter.name = std::move(name);
        parameter.type = type;
        parameter.notes = std::move(notes);
        parameter.get = [get](const void* t) { return get(*static_cast<const T*>(t)); };
        parameter.put = [put](void* t, const Value& v) { put(*static_cast<T*>(t), v); };
        parameters_.push_back(std::move(parameter));
    }

    std::vector<Parameter> parameters_;
};

template <class T>
const ParameterTable& parameters_of() {
    static const ParameterTable table = [] {
        Declaration<T> declaration;
        T::declare(declaration);
        std::vector<Parameter> parameters = declaration.take();
        const T defaults{};
        for (Parameter& parameter : parameters) parameter.default_value = parameter.get(&defaults);
        return ParameterTable(std::move(parameters));
    }();
    return table;
}

}  // namespace thalweg
