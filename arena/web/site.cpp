#include "arena/web/site.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <ranges>
#include <system_error>

#include <fmt/format.h>

#include "arena/process/fingerprint.hpp"
#include "protocol/text.hpp"

namespace arena::web {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kTypes{{
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".txt", "text/plain; charset=utf-8"},
    {".py", "text/x-python; charset=utf-8"},
    {".cpp", "text/plain; charset=utf-8"},
    {".java", "text/plain; charset=utf-8"},
    {".sha256", "text/plain; charset=utf-8"},
}};

// What takes part from any computer: the kits' bots that are one file, and what connects them.
constexpr std::array<std::string_view, 5> kDownloads{"connect.py", "nim_bot.py", "nim_bot.cpp",
                                                     "NimBot.java", "nim_bot.js"};

// A visitor's bot runs in this file: it may load that bot, and fetch nothing.
constexpr std::string_view kBotWorker = "bot_worker.js";
constexpr std::string_view kBotPolicy =
    "default-src 'none'; script-src blob:; worker-src 'none'";

// A name without a folder, such as "style.css".
bool is_plain_name(std::string_view name) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    };
    return !name.empty() && !name.starts_with('.') && std::ranges::all_of(name, is_plain);
}

// The file that a path names.
std::string file_of(std::string_view path) {
    if (path == "/") return "index.html";
    for (const std::string_view page : {"/bot", "/explore", "/live", "/puzzles"}) {
        if (path == page) return std::string(path.substr(1)) + ".html";
    }
    return std::string(path.substr(1));
}

// Whether an If-None-Match header names the ETag.
bool matches(std::string_view if_none_match, std::string_view etag) {
    if (if_none_match.size() > 1024) return false;
    for (const auto piece : std::views::split(if_none_match, ',')) {
        auto item = protocol::trim({piece.begin(), piece.end()});
        if (item.starts_with("W/")) item.remove_prefix(2);
        if (item == "*" || item == etag) return true;
    }
    return false;
}

}  // namespace

std::string hash_of_connect() {
    return sha256_of(std::ranges::find(kKitFiles, "connect.py", &EmbeddedFile::name)->text);
}

std::string_view type_of(std::string_view name) {
    const auto type = std::ranges::find_if(
        kTypes, [&](const auto& known) { return name.ends_with(known.first); });
    return type == kTypes.end() ? std::string_view{} : type->second;
}

Response kept_page(std::string_view type, std::string text) {
    const auto hash = std::hash<std::string>{}(text);
    const std::string etag = fmt::format("\"{:x}-{:x}\"", hash, text.size());
    Response page = respond(200, std::string(type), std::move(text));
    page.headers = {{"ETag", etag}, {"Cache-Control", "no-cache"}};
    return page;
}

Response unless_known(Response page, std::string_view if_none_match) {
    const auto etag =
        std::ranges::find(page.headers, "ETag", &std::pair<std::string, std::string>::first);
    if (page.status == 200 && etag != page.headers.end() &&
        matches(if_none_match, etag->second))
        page.status = 304;
    return page;
}

Routes::Routes(std::string folder) : folder_(std::move(folder)) {
    const auto build_in = [this](const EmbeddedFile& file) {
        files_.emplace_back(file.name, kept_page(type_of(file.name), std::string(file.text)));
    };
    for (const EmbeddedFile& file : kKitFiles) {
        const auto name = file.name.substr(file.name.rfind('/') + 1);
        if (std::ranges::count(kDownloads, name) > 0) build_in({name, file.text});
    }
    build_in({"connect.py.sha256", fmt::format("{}  connect.py\n", hash_of_connect())});
    if (folder_.empty()) std::ranges::for_each(kPageFiles, build_in);
}

void Routes::add(std::string prefix, Site& site) {
    sites_.emplace_back(std::move(prefix), &site);
}

void Routes::answer(Request request, Reply reply) {
    for (const auto& [prefix, site] : sites_) {
        if (request.path.starts_with(prefix))
            return site->answer(std::move(request), std::move(reply));
    }
    reply(page(request));
}

Response Routes::page(const Request& request) const {
    const std::string name = file_of(request.path);
    const Response missing =
        refuse_request(404, fmt::format("there is no page {}", request.path));
    if (type_of(name).empty() || !is_plain_name(name)) return missing;
    if (request.method == "POST")
        return with_header(refuse_request(405, "expected GET or HEAD"), "Allow", "GET, HEAD");
    auto page = file(name);
    if (!page) return missing;
    if (name == kBotWorker) page->headers.emplace_back("Content-Security-Policy", kBotPolicy);
    return unless_known(*std::move(page), request.if_none_match);
}

std::optional<Response> Routes::file(std::string_view name) const {
    const auto built_in =
        std::ranges::find(files_, name, &std::pair<std::string, Response>::first);
    if (built_in != files_.end()) return built_in->second;
    const std::filesystem::path path = std::filesystem::path(folder_) / name;
    std::error_code ignored;
    if (folder_.empty() || !std::filesystem::is_regular_file(path, ignored))
        return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::nullopt;
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) return std::nullopt;
    return kept_page(type_of(name), std::move(text));
}

}  // namespace arena::web
