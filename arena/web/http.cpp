#include "arena/web/http.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "protocol/text.hpp"

namespace arena::web {

Response respond(int status, std::string type, std::string text) {
    Response response;
    response.status = status;
    response.type = std::move(type);
    response.body = std::make_shared<const std::string>(std::move(text));
    return response;
}

Response refuse_request(int status, std::string_view text) {
    const boost::json::object error{{"text", protocol::printable(text)}};
    return respond(status, "application/json",
                   boost::json::serialize(boost::json::object{{"error", error}}));
}

Response with_header(Response response, std::string name, std::string value) {
    response.headers.emplace_back(std::move(name), std::move(value));
    return response;
}

}  // namespace arena::web
