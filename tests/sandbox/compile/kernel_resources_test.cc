#include "sandbox/compile/kernel_resources.h"

#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sandbox/compile/ptx_entries.h"
#include "sandbox/compile/ptxas_report.h"

namespace cudaperf::sandbox {
namespace {

using reward::v1::KernelResources;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string Sample(const std::string& suffix) {
  std::ifstream file(CUDAPERF_SOURCE_DIR "/tests/sandbox/compile/samples/three_kernels" + suffix, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

const KernelResources& Find(const std::vector<KernelResources>& kernels, const std::string& name) {
  for (const KernelResources& kernel : kernels) {
    if (kernel.name() == name) return kernel;
  }
  static const KernelResources none;
  return none;
}

TEST(KernelResourcesTest, AllThreeSourcesAreJoined) {
  const std::vector<KernelResources> kernels = DescribeKernels(Sample(".cubin"), Sample(".ptx"), Sample(".ptxas.txt"));
  EXPECT_THAT(kernels, SizeIs(3));
  const KernelResources& scaled = Find(kernels, "_Z5saxpyifPKfPf");
  EXPECT_EQ(scaled.demangled_name(), "saxpy(int, float, float const*, float*)");
  EXPECT_EQ(scaled.register_count(), 10);
  EXPECT_THAT(scaled.parameter_types(), ElementsAre("u32", "f32", "u64", "u64"));
  // 0x210 reserved bytes and 24 of parameters.
  EXPECT_EQ(scaled.constant_bytes(), 0x228);
  const KernelResources& shared = Find(kernels, "_Z2tkIfEvPT_1P6__half");
  EXPECT_EQ(shared.static_shared_bytes(), 1024);
  EXPECT_EQ(shared.barrier_count(), 1);
  EXPECT_THAT(shared.parameter_types(), ElementsAre("u64", "b8[16]", "b8[2]"));
  EXPECT_EQ(Find(kernels, "cname").stack_bytes(), 40);
}

TEST(KernelResourcesTest, CubinAloneNamesTheKernels) {
  EXPECT_THAT(DescribeKernels(Sample(".cubin"), "", ""), SizeIs(3));
  EXPECT_THAT(DescribeKernels("", Sample(".ptx"), Sample(".ptxas.txt")), IsEmpty());
}

TEST(PtxasReportTest, SpillsAndBanksAreRead) {
  const auto kernels = ParsePtxasReport(
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    48 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 2 barriers, 48 bytes cumulative stack size, 4096 bytes smem, "
      "528 bytes cmem[0], 16 bytes cmem[2]\n");
  ASSERT_THAT(kernels, SizeIs(1));
  const KernelResources& kernel = kernels.at("k");
  EXPECT_EQ(kernel.stack_bytes(), 48);
  EXPECT_EQ(kernel.spill_store_bytes(), 8);
  EXPECT_EQ(kernel.spill_load_bytes(), 16);
  EXPECT_EQ(kernel.register_count(), 255);
  EXPECT_EQ(kernel.barrier_count(), 2);
  EXPECT_EQ(kernel.static_shared_bytes(), 4096);
  EXPECT_EQ(kernel.constant_bytes(), 544);
}

TEST(PtxasReportTest, StackOfACalledFunctionIsNotTheEntrys) {
  const auto kernels = ParsePtxasReport(
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers\n"
      "ptxas info    : Function properties for called\n"
      "    512 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
  EXPECT_EQ(kernels.at("k").stack_bytes(), 8);
}

TEST(PtxasReportTest, GarbageIsSurvived) {
  for (const char* text : {"", "ptxas info    : Compiling entry function '", "ptxas info    : Used  registers",
                           "ptxas info    : Compiling entry function ''\n bytes stack frame\nptxas info    : Used "
                           "99999999999999999999 registers"}) {
    for (const auto& [name, kernel] : ParsePtxasReport(text)) EXPECT_EQ(kernel.stack_bytes(), 0) << name;
  }
}

TEST(PtxEntriesTest, CommentsDoNotCount) {
  EXPECT_THAT(ReadPtxEntries("// .entry a(.param .u32 x)\n/* .entry b() */ .visible .entry c(.param .f64 y)\n{}"),
              ElementsAre(testing::Pair("c", ElementsAre("f64"))));
}

TEST(PtxEntriesTest, EntriesWithoutParametersHaveNone) {
  EXPECT_THAT(ReadPtxEntries(".visible .entry k()\n{}\n.entry bare\n{}"),
              ElementsAre(testing::Pair("bare", IsEmpty()), testing::Pair("k", IsEmpty())));
}

TEST(PtxEntriesTest, PointerAttributesAreSkipped) {
  EXPECT_THAT(ReadPtxEntries(".entry k(.param .u64 .ptr .global .align 4 p, .param .align 8 .b8 s[24])"),
              ElementsAre(testing::Pair("k", ElementsAre("u64", "b8[24]"))));
}

TEST(PtxEntriesTest, GarbageIsSurvived) {
  for (const char* text :
       {".entry", ".entry ", ".entry (", ".entry k(", ".entry k(.param", ".entry k(.u32 [", "/*", ".entry\n\n//"}) {
    EXPECT_LE(ReadPtxEntries(text).size(), 1u) << text;
  }
}

}  // namespace
}  // namespace cudaperf::sandbox
