#include "referee/daemon/refereed.h"

// jemalloc reads it: it gives memory back to the system a second after that was freed, by a thread
// of its own. Else ten seconds pass, and memory that one attack took is not there for the next.
extern "C" {
extern const char* malloc_conf;
__attribute__((visibility("default"))) const char* malloc_conf =
    "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0";
}

int main(int argc, char** argv) { return referee::RefereedMain(argc, argv); }
