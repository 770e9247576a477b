// Boost.Asio, compiled once for everything that links this library.
#include <boost/asio/impl/src.hpp>
