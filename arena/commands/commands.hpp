// The commands of nim-arena, one file each. Each parses the words after its name, runs or
// refuses them, and returns the exit status (exit_codes.hpp).
#pragma once

#include <string>
#include <vector>

#include "arena/process/guardian.hpp"
#include "protocol/result.hpp"

namespace arena {

using protocol::Result;  // as all of these sources name it

}  // namespace arena

namespace arena::commands {

using Words = std::vector<std::string>;

int match(const Words& words, const Guardian& guardian);
int tournament(const Words& words, const Guardian& guardian);
int work(const Words& words, const Guardian& guardian);
int status(const Words& words, const Guardian& guardian);
int serve(const Words& words, const Guardian& guardian);
int web(const Words& words, const Guardian& guardian);
int init(const Words& words, const Guardian& guardian);
int export_record(const Words& words, const Guardian& guardian);
int copy(const Words& words, const Guardian& guardian);
int standings(const Words& words, const Guardian& guardian);
int games(const Words& words, const Guardian& guardian);
int show(const Words& words, const Guardian& guardian);
int report(const Words& words, const Guardian& guardian);
int replay(const Words& words, const Guardian& guardian);
int check(const Words& words, const Guardian& guardian);
int certify(const Words& words, const Guardian& guardian);
int grade(const Words& words, const Guardian& guardian);
int new_kit(const Words& words, const Guardian& guardian);
int suite(const Words& words, const Guardian& guardian);
int token(const Words& words, const Guardian& guardian);
int doctor(const Words& words, const Guardian& guardian);

}  // namespace arena::commands
