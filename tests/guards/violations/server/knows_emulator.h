#include "emulator/device.h"  // the server meets the emulator through the sandbox only
