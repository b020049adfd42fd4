#include "sandbox/compile/compile_jail.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

absl::StatusOr<CompileJail> StartCompileJail(const CompileJailOptions& options, std::vector<std::string> arguments,
                                             JailLimits limits, JailOptions::Scratch scratch) {
  absl::StatusOr<std::pair<FrameChannel, FrameChannel>> channel = FrameChannel::CreatePair();
  if (!channel.ok()) return channel.status();
  JailOptions jail;
  jail.level = options.level;
  jail.argv = {absl::StrCat(options.worker_directory, "/cudaperf-compiler")};
  jail.argv.insert(jail.argv.end(), arguments.begin(), arguments.end());
  jail.environment = {"LC_ALL=C", "SOURCE_DATE_EPOCH=0"};
  jail.descriptors = {{channel->second.fd(), 3}};
  jail.readable_paths = {options.toolkit_root};
  jail.forking = JailOptions::Forking::kAllowed;
  jail.scratch = scratch;
  jail.limits = limits;
  absl::StatusOr<std::unique_ptr<JailedProcess>> process = JailedProcess::Start(jail);
  if (!process.ok()) return process.status();
  return CompileJail{*std::move(process), std::move(channel->first)};
}

}  // namespace cudaperf::sandbox
