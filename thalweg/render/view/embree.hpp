// Embree 3 and 4 behind the same few names. Private to ray_scene.cpp.
#pragma once

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace thalweg::embree {

/// The narrowest vectors on x86-64, which every such machine has: hits differ in their last bits with the
/// width. No settings from files in the working or home folder.
#if defined(__x86_64__)
inline constexpr const char* kSettings = "ignore_config_files=1,isa=sse2";
#else
inline constexpr const char* kSettings = "ignore_config_files=1";
#endif

#if RTC_VERSION_MAJOR >= 4
inline void intersect(const int* valid, RTCScene scene, RTCRayHit4& rays) {
    rtcIntersect4(valid, scene, &rays);
}
inline void intersect(RTCScene scene, RTCRayHit& ray) {
    rtcIntersect1(scene, &ray);
}
inline void occluded(RTCScene scene, RTCRay& ray) {
    rtcOccluded1(scene, &ray);
}
#else
inline void intersect(const int* valid, RTCScene scene, RTCRayHit4& rays) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect4(valid, scene, &context, &rays);
}
inline void intersect(RTCScene scene, RTCRayHit& ray) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &ray);
}
inline void occluded(RTCScene scene, RTCRay& ray) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(scene, &context, &ray);
}
#endif

}  // namespace thalweg::embree
