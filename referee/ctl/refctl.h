// refctl as a function, so that a program of one's own can be it.
#ifndef REFEREE_CTL_REFCTL_H_
#define REFEREE_CTL_REFCTL_H_

namespace referee {

// Does what the program refctl does and returns its exit status. Call it once, on the main thread.
int RefctlMain(int argc, char** argv);

}  // namespace referee

#endif  // REFEREE_CTL_REFCTL_H_
