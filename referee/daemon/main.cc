#include "referee/daemon/refereed.h"

// Settings of jemalloc: a background thread returns freed memory to the system after one second.
// The default of ten seconds would leave less memory to resist a second attack.
extern "C" {
extern const char* malloc_conf;
__attribute__((visibility("default"))) const char* malloc_conf =
    "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0";
}

int main(int argc, char** argv) { return referee::RefereedMain(argc, argv); }
