#include <iostream>

#include "clients/cli/command.h"

int main(int argc, char** argv) {
  return cudaperf::clients::RunCommand({argv + 1, argv + argc}, {std::cout, std::cerr});
}
