// The sections of engine_bench, each in a file of its own. argv[0]: the section, then its
// arguments.
#pragma once

namespace bench {

int tasks(int argc, char** argv);
int latency(int argc, char** argv);
int go(int argc, char** argv);
int octal(int argc, char** argv);
int subtraction(int argc, char** argv);
int rules(int argc, char** argv);
int search(int argc, char** argv);
int graph(int argc, char** argv);

}  // namespace bench
