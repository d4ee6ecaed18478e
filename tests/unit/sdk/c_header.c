/* Checks that the header is valid C. */
#include "referee_rules.h"

int referee_test_c_header(void);

int referee_test_c_header(void) { return referee_rules_abi() == REFEREE_RULES_ABI; }
