// How much of a place what replaces it takes.
#pragma once

namespace thalweg {

/// b = S(w) = w (2 - w), 1 from w = 1 on: C1, and flat where it reaches 1.
inline double replacement_share(double weight) {
    return weight < 1.0 ? weight * (2.0 - weight) : 1.0;
}

}  // namespace thalweg
