// The bytes of an HTTP connection: the requests must not depend on how the bytes are cut, and
// requests handed to the site must be within its limits.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arena/web/request_reader.hpp"

#include "tests/fuzz/require.hpp"

namespace {

using arena::web::RequestReader;

void check(const arena::web::Request& request) {
    require(request.method == "GET" || request.method == "HEAD" || request.method == "POST");
    require(request.path.starts_with('/') && request.path.size() <= arena::web::kMaxHeader);
    require(request.path.find('\0') == std::string::npos);
    require((request.path + "/").find("/../") == std::string::npos);
    require((request.path + "/").find("/./") == std::string::npos);
    require(request.body.size() <= arena::web::kMaxBody);
    require(request.body.empty() || request.method == "POST");
}

// The requests, and whether the last one is refused.
std::vector<std::string> read(std::string_view bytes, std::size_t piece) {
    static const arena::web::HostNames kHosts({"arena.example.org"});
    RequestReader reader(kHosts);
    std::vector<std::string> requests;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
        auto state = reader.add(bytes.substr(i, piece));
        for (; state == RequestReader::State::Whole; state = reader.add({})) {
            const auto request = reader.take();
            check(request);
            requests.push_back(request.method + '\n' + request.path + '\n' +
                               request.if_none_match + '\n' + request.body +
                               (reader.keeps_alive() ? '+' : '-'));
        }
        if (state == RequestReader::State::Refused) {
            require(reader.refusal().status >= 400 && !reader.keeps_alive());
            requests.emplace_back("refused");
            return requests;
        }
    }
    return requests;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto whole = read(bytes, size + 1);
    for (const std::size_t piece : {1, 7, 500}) {
        auto pieces = read(bytes, piece);
        // A wrong line may be reported only at the end of the header, which has not come yet.
        if (!whole.empty() && whole.back() == "refused" && whole.size() == pieces.size() + 1)
            pieces.emplace_back("refused");
        require(whole == pieces);
    }
    return 0;
}
