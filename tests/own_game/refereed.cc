#include "referee/daemon/refereed.h"
#include "tests/own_game/pig.h"

int main(int argc, char** argv) { return referee::RefereedMain(argc, argv, {MakePig()}); }
