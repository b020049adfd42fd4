#ifndef CUDAPERF_TESTS_SANDBOX_CUPTI_DEVICE_FIXTURE_H_
#define CUDAPERF_TESTS_SANDBOX_CUPTI_DEVICE_FIXTURE_H_

#include <cuda.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "sandbox/cuda/driver.h"
#include "sandbox/cupti/cupti_library.h"

namespace cudaperf::sandbox {

// The GPU with CUPTI open, kKernels loaded, and two buffers of kElements float4. Shared by the tests of a
// process; skipped with the reason where there is no GPU.
class CuptiDeviceTest : public ::testing::Test {
 public:
  static constexpr int kElements = 1 << 24;

 protected:
  struct Shape {
    int grid = 1;
    int block = 256;
  };

  void SetUp() override;

  const Driver& driver() const { return *device_->driver; }
  const CuptiLibrary& cupti() const { return *device_->cupti; }
  CUcontext context() const { return device_->context; }
  CUdevice device() const { return device_->number; }
  CUdeviceptr input() const { return device_->input; }
  CUdeviceptr output() const { return device_->output; }

  // Queues `kernel(input, output, elements)`.
  absl::Status Launch(const std::string& kernel, Shape shape, int elements = kElements) const;
  // The same, and waits for it.
  absl::Status Run(const std::string& kernel, Shape shape, int elements = kElements) const;
  absl::Status Synchronize() const;

 private:
  struct Device {
    std::unique_ptr<Driver> driver;
    std::unique_ptr<CuptiLibrary> cupti;
    CUdevice number = 0;
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUdeviceptr input = 0;
    CUdeviceptr output = 0;
  };

  static absl::StatusOr<std::unique_ptr<Device>> OpenDevice();

  static Device* device_;
};

// What this test program answers when it is started anew with only `test` selected: its exit status; its output goes to
// this one's. `test` is a disabled one.
int RunAnew(const std::string& test);

// This test program, started anew with only `test` selected, which reaches WaitForTheOtherEnd and stays there until
// this object's life ends.
class Neighbour {
 public:
  explicit Neighbour(const std::string& test);
  ~Neighbour();
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

  bool ready() const { return ready_; }

 private:
  int go_ = -1;
  int process_ = -1;
  bool ready_ = false;
};

void WaitForTheOtherEnd();

}  // namespace cudaperf::sandbox

#endif  // CUDAPERF_TESTS_SANDBOX_CUPTI_DEVICE_FIXTURE_H_
