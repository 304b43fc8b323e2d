// Embree 3 and 4 behind the same few names. Private to ray_scene.cpp.
#pragma once

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace thalweg::embree {

#if RTC_VERSION_MAJOR >= 4
inline void intersect(RTCScene scene, RTCRayHit& ray) {
    rtcIntersect1(scene, &ray);
}
inline void occluded(RTCScene scene, RTCRay& ray) {
    rtcOccluded1(scene, &ray);
}
#else
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
