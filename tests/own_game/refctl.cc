#include "referee/ctl/refctl.h"
#include "tests/own_game/pig.h"

int main(int argc, char** argv) { return referee::RefctlMain(argc, argv, {MakePig()}); }
