// Boost.Asio, compiled once for all who link this library.
#include <boost/asio/impl/src.hpp>
