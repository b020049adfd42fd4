// Tries to lift its limits; prints those it could.
#include <sys/resource.h>

#include <cstdio>
#include <initializer_list>

int main() {
  for (int resource : {RLIMIT_AS, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CORE, RLIMIT_CPU}) {
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    limit.rlim_max = limit.rlim_max + 1;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0) printf("%d ", resource);
  }
}
