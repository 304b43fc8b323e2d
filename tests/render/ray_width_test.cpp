// The width of the ray tracer's vectors, on which the last bits of its hits depend.
#include <gtest/gtest.h>

#if __has_include(<embree3/rtcore.h>) || __has_include(<embree4/rtcore.h>)
#include "thalweg/render/view/embree.hpp"
#include "thalweg/render/view/ray_scene.hpp"

namespace thalweg {
namespace {

TEST(RayTracer, traces_with_vectors_of_four_on_every_machine) {
    if (!RayScene::is_available()) GTEST_SKIP() << "built without Embree";
    const RTCDevice device = rtcNewDevice(embree::kSettings);
    ASSERT_NE(device, nullptr);
    EXPECT_NE(rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_NATIVE_RAY4_SUPPORTED), 0);
    EXPECT_EQ(rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED), 0);
    rtcReleaseDevice(device);
}

}  // namespace
}  // namespace thalweg
#endif
