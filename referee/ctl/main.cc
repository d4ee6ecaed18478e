#include "referee/ctl/refctl.h"

int main(int argc, char** argv) { return referee::RefctlMain(argc, argv); }
