// Whether these tests run under a sanitizer that takes more address space than any limit leaves.
#pragma once

namespace thalweg {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace thalweg
