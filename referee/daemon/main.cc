#include "referee/daemon/refereed.h"

int main(int argc, char** argv) { return referee::RefereedMain(argc, argv); }
