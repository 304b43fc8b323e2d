// Dataset: one value of a landscape, shared and never changed.
#pragma once

#include <memory>
#include <typeinfo>
#include <utility>

namespace thalweg {

/// A value of any type behind a shared pointer. Copies hold the same value, which never changes while more
/// than one holds it; copying costs nothing, whatever the size.
///
/// Example:
///     const Dataset dataset(std::vector{1.0, 2.0});
///     const auto* numbers = dataset.as<std::vector<double>>();  // not null; as<int>() is
class Dataset {
  public:
    template <class T>
    explicit Dataset(T value) : value_(std::make_shared<T>(std::move(value))), type_(&typeid(T)) {}

    /// The value; null where it is of another type.
    template <class T>
    [[nodiscard]] const T* as() const {
        return *type_ == typeid(T) ? static_cast<const T*>(value_.get()) : nullptr;
    }

    /// Moves the value out, or copies it where others hold it too. It must be a T.
    template <class T>
    [[nodiscard]] T release() && {
        T& value = *static_cast<T*>(value_.get());
        return value_.use_count() == 1 ? std::move(value) : T(value);
    }

    /// Whether both hold one value, and not merely equal ones.
    [[nodiscard]] bool shares_with(const Dataset& other) const { return value_ == other.value_; }

    /// Which value it is, without holding it.
    using Identity = std::weak_ptr<const void>;
    [[nodiscard]] Identity identity() const { return value_; }
    [[nodiscard]] bool is(const Identity& identity) const {
        return !identity.owner_before(value_) && !value_.owner_before(identity);
    }

  private:
    std::shared_ptr<void> value_;  // to all but release() a constant
    const std::type_info* type_;
};

}  // namespace thalweg
