// A non-owning reference to a function, for parameters that are not kept: std::function without
// its allocation and its header.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace engine {

template <typename Signature>
class FunctionRef;

// Refers to a callable, which must outlive it.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
  public:
    template <typename Callable>
    requires(!std::same_as<std::remove_cvref_t<Callable>, FunctionRef> &&
             std::is_invocable_r_v<Result, Callable&, Arguments...>)
        FunctionRef(Callable&& callable)
        : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
          call_([](void* refers_to, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Callable>*>(refers_to))(
                  std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const {
        return call_(callable_, std::forward<Arguments>(arguments)...);
    }

  private:
    void* callable_;
    Result (*call_)(void*, Arguments...);
};

}  // namespace engine
