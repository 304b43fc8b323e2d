// Dataset: one value of a landscape, shared and never changed.
#pragma once

#include <memory>
#include <typeinfo>
#include <utility>

namespace thalweg {

/// A value of any type behind a shared pointer. Copies hold the same value, which never changes while more
/// than one holds it; copying costs nothing, whatever the size.
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

  private:
    std::shared_ptr<void> value_;  // to all but release() a constant
    const std::type_info* type_;
};

}  // namespace thalweg
