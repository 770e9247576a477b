// A certificate does not store the moves, but the first 32 bits of a hash for each: a million
// answers then fit into 8 MB of text, and compare() still finds the positions whose answers
// changed. The SHA-256 over all answers covers a chance agreement of these short hashes, and
// shows a damaged file.
#include "arena/check/certificate.hpp"

#include <fcntl.h>
#include <openssl/sha.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/json.hpp>

#include "arena/base/bad_input.hpp"
#include "arena/base/files.hpp"
#include "arena/check/patterns.hpp"
#include "protocol/text.hpp"
#include "protocol/unique_fd.hpp"

namespace arena {
namespace {

namespace json = boost::json;
using protocol::Result;

constexpr int kVersion = 1;
constexpr std::size_t kDigits = 8;  // of each answer

std::string sha256(std::string_view text, std::size_t digits) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    ::SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    std::string hex;
    for (std::size_t i = 0; i < digits / 2; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

json::array array_of(const std::vector<std::string>& texts) {
    return json::array(texts.begin(), texts.end());
}

// Only the hashes, because the paths may differ on another machine.
std::vector<std::string> hashes_of(std::string_view executable) {
    std::vector<std::string> hashes;
    for (const std::string& line : split_printable(executable)) {
        hashes.push_back(line.substr(0, line.find(' ')));
    }
    return hashes;
}

// The files that are not among the others; all of them if only the order differs.
std::string files_text(std::string_view executable, std::string_view others) {
    if (executable.empty()) return "unknown";
    const auto known = hashes_of(others);
    auto lines = split_printable(executable);
    std::erase_if(lines, [&](const std::string& line) {
        return std::ranges::find(known, line.substr(0, line.find(' '))) != known.end();
    });
    if (lines.empty()) lines = split_printable(executable);
    return fmt::to_string(fmt::join(lines, ", "));
}

json::object outcome_object(const OutcomeCount& count) {
    return {{"positions", count.positions}, {"right", count.right}};
}

// Reads keys, and keeps the error of the first that is missing or has another type.
class KeyReader {
  public:
    explicit KeyReader(const json::object& object) : object_(object) {}

    std::uint64_t number(std::string_view key) {
        const json::value* value = find(key);
        if (value != nullptr && value->is_uint64()) return value->as_uint64();
        if (value != nullptr && value->is_int64() && value->as_int64() >= 0)
            return static_cast<std::uint64_t>(value->as_int64());
        refuse(key, "a number");
        return 0;
    }
    std::string text(std::string_view key) {
        const json::value* value = find(key);
        if (value != nullptr && value->is_string()) return std::string(value->as_string());
        refuse(key, "a text");
        return {};
    }
    bool flag(std::string_view key) {
        const json::value* value = find(key);
        if (value != nullptr && value->is_bool()) return value->as_bool();
        refuse(key, "true or false");
        return false;
    }
    std::vector<std::string> texts(std::string_view key) {
        std::vector<std::string> list;
        const json::value* value = find(key);
        if (value == nullptr || !value->is_array()) {
            refuse(key, "a list of texts");
            return list;
        }
        for (const json::value& item : value->as_array()) {
            if (!item.is_string()) refuse(key, "a list of texts");
            if (item.is_string()) list.emplace_back(item.as_string());
        }
        return list;
    }
    OutcomeCount count(std::string_view key) {
        const json::value* value = find(key);
        if (value == nullptr || !value->is_object()) {
            refuse(key, "an object with positions and right");
            return {};
        }
        KeyReader inner(value->as_object());
        OutcomeCount count{inner.number("positions"), inner.number("right")};
        if (inner.error_ && !error_) error_ = inner.error_;
        return count;
    }
    const std::optional<protocol::Error>& error() const { return error_; }

  private:
    const json::value* find(std::string_view key) const { return object_.if_contains(key); }
    void refuse(std::string_view key, std::string_view expected) {
        if (!error_)
            error_ = bad_input("expected {} at the key {}", expected, protocol::quoted(key));
    }

    const json::object& object_;
    std::optional<protocol::Error> error_;
};

std::string answer_line(const PositionSet& positions, std::size_t number,
                        const PositionAnswer& answer) {
    const bool is_move = answer.kind != AnswerKind::Fault && answer.kind != AnswerKind::Refused;
    return fmt::format("{} {}", to_string(positions.position(number)),
                       is_move ? answer.move : kind_name(answer));
}

}  // namespace

void add_answers(Certificate& certificate, const Survey& survey) {
    certificate.counts = survey.counts();
    certificate.varies = survey.again().varied > 0;
    std::string all;
    for (std::size_t number = 0; number < survey.answers().size(); ++number) {
        const PositionAnswer& answer = survey.answers()[number];
        if (answer.kind == AnswerKind::NoMove) continue;
        const std::string line = answer_line(survey.positions(), number, answer);
        certificate.answers += sha256(line, kDigits);
        all += line + "\n";
    }
    certificate.sha256 = sha256(all, 2 * SHA256_DIGEST_LENGTH);
}

std::string to_json(const Certificate& certificate) {
    const SurveyCounts& counts = certificate.counts;
    const json::object object{
        {"nimarena_certificate", kVersion},
        {"families", array_of(certificate.families)},
        {"positions", array_of(certificate.positions)},
        {"seed", certificate.seed},
        {"movetime_ms", certificate.movetime},
        {"asked", counts.asked},
        {"won", outcome_object(counts.won)},
        {"drawn", outcome_object(counts.drawn)},
        {"lost", outcome_object(counts.lost)},
        {"unknown", outcome_object(counts.unknown)},
        {"player", protocol::printable(certificate.player)},
        {"name", protocol::printable(certificate.name)},
        {"executables", array_of(split_printable(certificate.executable))},
        {"varies", certificate.varies},
        {"answers_sha256", certificate.sha256},
        {"answers", certificate.answers}};
    return json::serialize(object) + "\n";
}

namespace {

bool is_hex(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == text.npos;
}

// The numbers of a certificate must say that the bot was right in all positions.
Result<void> check_numbers(const Certificate& certificate) {
    const SurveyCounts& counts = certificate.counts;
    const std::size_t asked = certificate.answers.size() / kDigits;
    if (asked != counts.asked || certificate.answers.size() % kDigits != 0) {
        return bad_input("read {} hex digits of answers, expected {} for each of {} positions",
                         certificate.answers.size(), kDigits, counts.asked);
    }
    std::uint64_t positions = 0;
    for (const OutcomeCount& part : {counts.won, counts.drawn, counts.lost, counts.unknown}) {
        if (part.positions > counts.asked || part.right > part.positions) {
            return bad_input(
                "read right in {} of {} positions, expected at most as many, of {}", part.right,
                part.positions, counts.asked);
        }
        positions += part.positions;
    }
    if (positions != counts.asked) {
        return bad_input("read {} positions won, drawn, lost or unknown, expected {}",
                         positions, counts.asked);
    }
    if (!is_hex(certificate.answers) || !is_hex(certificate.sha256) ||
        certificate.sha256.size() != 2 * SHA256_DIGEST_LENGTH) {
        return bad_input("expected hex digits at the keys 'answers' and 'answers_sha256'");
    }
    return {};
}

}  // namespace

Result<Certificate> parse_certificate_file(std::string_view text) {
    boost::system::error_code failed;
    const json::value value = json::parse(text, failed);
    if (failed || !value.is_object() || !value.as_object().contains("nimarena_certificate")) {
        return bad_input(
            "expected a certificate, as nim-arena certify --certificate writes it");
    }
    KeyReader keys(value.as_object());
    const std::uint64_t version = keys.number("nimarena_certificate");
    if (version != kVersion) {
        return bad_input("read a certificate of version {}, expected {}", version, kVersion);
    }
    Certificate certificate;
    certificate.families = keys.texts("families");
    certificate.positions = keys.texts("positions");
    certificate.seed = keys.number("seed");
    certificate.movetime = static_cast<std::int64_t>(keys.number("movetime_ms"));
    certificate.counts.asked = keys.number("asked");
    certificate.counts.won = keys.count("won");
    certificate.counts.drawn = keys.count("drawn");
    certificate.counts.lost = keys.count("lost");
    certificate.counts.unknown = keys.count("unknown");
    certificate.player = keys.text("player");
    certificate.name = keys.text("name");
    certificate.executable = fmt::to_string(fmt::join(keys.texts("executables"), "\n"));
    certificate.varies = keys.flag("varies");
    certificate.sha256 = keys.text("answers_sha256");
    certificate.answers = keys.text("answers");
    if (keys.error()) return *keys.error();
    if (const auto checked = check_numbers(certificate); !checked) return checked.error();
    return certificate;
}

// ---- writing ----

namespace {

// A pipe or a device is not replaced, but written to.
bool is_replaced(const std::string& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode);
}

protocol::Error cannot_write(const std::string& path, int error) {
    return bad_input("cannot write {}: {}", protocol::quoted(path), std::strerror(error));
}

// Returns 0 or errno.
int write_into(const std::string& path, std::string_view text) {
    const protocol::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file ? write_all(file.get(), text) : errno;
}

}  // namespace

Result<void> try_certificate_path(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode))
        return cannot_write(path, EISDIR);
    if (!is_replaced(path)) {
        if (::access(path.c_str(), W_OK) == 0) return {};
        return cannot_write(path, errno);
    }
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    const protocol::UniqueFd part(::open(part_of(path).c_str(), flags, 0666));
    if (!part) return cannot_write(path, errno);
    ::unlink(part_of(path).c_str());
    return {};
}

Result<void> write_certificate(const std::string& path, const Certificate& certificate) {
    const std::string text = to_json(certificate);
    const int error =
        is_replaced(path) ? replace_file(path, text, true) : write_into(path, text);
    if (error != 0) return cannot_write(path, error);
    return {};
}

// ---- comparing ----

namespace {

// The number of answers that differ, and the smallest of their positions.
struct ChangedAnswers {
    std::uint64_t count = 0;
    std::optional<PositionSize> smallest;
    std::string move;  // now
};

ChangedAnswers find_changed(const Certificate& certificate, const Certificate& now,
                            const Survey& survey) {
    ChangedAnswers changed;
    std::size_t place = 0;
    for (std::size_t number = 0; number < survey.answers().size(); ++number) {
        const PositionAnswer& answer = survey.answers()[number];
        if (answer.kind == AnswerKind::NoMove) continue;
        const std::size_t digit = kDigits * place++;
        if (certificate.answers.compare(digit, kDigits, now.answers, digit, kDigits) == 0)
            continue;
        ++changed.count;
        PositionSize size = size_of(survey.positions().position(number));
        if (changed.smallest && *changed.smallest < size) continue;
        changed.smallest = std::move(size);
        changed.move = answer.move.empty() ? kind_name(answer) : answer.move;
    }
    return changed;
}

}  // namespace

Differences compare(const Certificate& certificate, const Certificate& now,
                    const Survey& survey) {
    Differences differences;
    if (hashes_of(certificate.executable) != hashes_of(now.executable)) {
        differences.notes.push_back(fmt::format(
            "the program's files are not those of the certificate: they were {}, and are {}",
            files_text(certificate.executable, now.executable),
            files_text(now.executable, certificate.executable)));
    }
    if (certificate.counts.asked != now.counts.asked + now.counts.not_asked) {
        differences.decisive.push_back(
            fmt::format("the certificate is about {} positions, but this version of nim-arena "
                        "finds {}",
                        grouped(certificate.counts.asked),
                        grouped(now.counts.asked + now.counts.not_asked)));
        return differences;
    }
    const ChangedAnswers changed = find_changed(certificate, now, survey);
    // The two hashes cover the same lines: if only one differs, the file was changed.
    if ((changed.count == 0) != (certificate.sha256 == now.sha256)) {
        differences.decisive.push_back(
            "the certificate is damaged: its answers and its answers_sha256 do not belong "
            "together");
        return differences;
    }
    if (changed.count == 0) return differences;
    std::string text =
        fmt::format("it answers otherwise in {} of {} positions; the smallest is {}: now {}",
                    grouped(changed.count), grouped(now.counts.asked), changed.smallest->text,
                    protocol::printable(changed.move, 60));
    // For a bot with varying answers the certificate only says that they were right.
    if (certificate.varies) {
        differences.notes.push_back(text + "; its answers vary");
    } else {
        differences.decisive.push_back(std::move(text));
    }
    return differences;
}

}  // namespace arena
