// What a browser asks of pages, and what it is told.
#pragma once

#include <future>

#include "arena/web/http.hpp"

namespace arena::web {

// Of a response; empty if it has none of this name.
inline std::string header(const Response& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
        if (key == name) return value;
    }
    return {};
}

// `pages`: what has an answer() to a request, which may come later and on another thread.
template <typename Pages>
std::future<Response> ask(Pages& pages, Request request) {
    auto answered = std::make_shared<std::promise<Response>>();
    pages.answer(std::move(request),
                 [answered](Response response) { answered->set_value(std::move(response)); });
    return answered->get_future();
}

// `tag`: that of the version that the browser has.
template <typename Pages>
Response get(Pages& pages, const std::string& path, const std::string& tag = {}) {
    return ask(pages, {"GET", path, {}, tag}).get();
}

}  // namespace arena::web
