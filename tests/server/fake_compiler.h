#ifndef CUDAPERF_TESTS_SERVER_FAKE_COMPILER_H_
#define CUDAPERF_TESTS_SERVER_FAKE_COMPILER_H_

#include <atomic>
#include <functional>
#include <utility>

#include "sandbox/compile/compiler.h"

namespace cudaperf::server {

// Compiles everything to one kernel `saxpy(u32, f32, u64, u64)`, unless told otherwise. Thread-safe.
class FakeCompiler : public sandbox::Compiler {
 public:
  using Answer = std::function<absl::StatusOr<worker::v1::CompileResponse>(const worker::v1::CompileRequest&,
                                                                           const sandbox::CallScope&)>;
  FakeCompiler() : answer_([](const auto&, const auto&) { return Success(); }) {}
  explicit FakeCompiler(Answer answer) : answer_(std::move(answer)) {}

  static worker::v1::CompileResponse Success() {
    worker::v1::CompileResponse response;
    response.set_status(worker::v1::COMPILE_STATUS_SUCCEEDED);
    response.mutable_program()->set_ptx("// ptx");
    response.mutable_program()->set_shared_object("elf");
    reward::v1::KernelResources* kernel = response.add_kernels();
    kernel->set_name("saxpy");
    kernel->set_demangled_name("saxpy");
    kernel->set_register_count(16);
    for (const char* type : {"u32", "f32", "u64", "u64"}) kernel->add_parameter_types(type);
    return response;
  }

  absl::StatusOr<worker::v1::CompileResponse> Compile(const worker::v1::CompileRequest& request,
                                                      const sandbox::CallScope& scope) override {
    ++call_count;
    return answer_(request, scope);
  }

  std::atomic<int> call_count = 0;

 private:
  const Answer answer_;
};

}  // namespace cudaperf::server

#endif  // CUDAPERF_TESTS_SERVER_FAKE_COMPILER_H_
