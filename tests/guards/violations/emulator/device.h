#include "cudaperf/reward/v1/report.pb.h"
