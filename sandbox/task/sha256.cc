#include "sandbox/task/sha256.h"

#include <openssl/evp.h>

#include <cstdlib>
#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace cudaperf::sandbox {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }

  void Update(const void* bytes, size_t size) {
    // Fails only without memory.
    if (context == nullptr || EVP_DigestUpdate(context, bytes, size) != 1) std::abort();
  }
  void UpdateSized(absl::string_view bytes) {
    const uint64_t size = bytes.size();
    Update(&size, sizeof(size));
    Update(bytes.data(), bytes.size());
  }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr || EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) != 1) std::abort();
}

Sha256::~Sha256() = default;

Sha256& Sha256::Add(absl::string_view name, absl::string_view value) {
  state_->UpdateSized(name);
  state_->UpdateSized(value);
  return *this;
}

Sha256& Sha256::Add(absl::string_view name, int64_t value) {
  char bytes[sizeof(value)];
  std::memcpy(bytes, &value, sizeof(value));
  return Add(name, absl::string_view(bytes, sizeof(bytes)));
}

Sha256& Sha256::Add(absl::string_view name, double value) {
  int64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return Add(name, bits);
}

std::array<uint8_t, 32> Sha256::Finish() {
  std::array<uint8_t, 32> digest;
  unsigned int size = digest.size();
  if (EVP_DigestFinal_ex(state_->context, digest.data(), &size) != 1) std::abort();
  return digest;
}

std::string Sha256::FinishText() {
  const std::array<uint8_t, 32> digest = Finish();
  return absl::StrCat("sha256:", absl::BytesToHexString(
                                     absl::string_view(reinterpret_cast<const char*>(digest.data()), digest.size())));
}

}  // namespace cudaperf::sandbox
