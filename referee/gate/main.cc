#include "referee/gate/refgate.h"

int main(int argc, char** argv) { return referee::RefgateMain(argc, argv); }
