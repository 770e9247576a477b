// Files and folders of one test, removed with their owner; and those that are open.
#pragma once

#include <stdlib.h>

#include <iterator>

namespace test {

class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& text = "") {
        const int descriptor = ::mkstemp(path_.data());
        if (descriptor < 0) throw std::runtime_error("cannot create " + path_);
        ::close(descriptor);
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TemporaryFile() { ::unlink(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_ = "/tmp/nimarena-test-XXXXXX";
};

// An empty folder, removed with its contents.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        if (::mkdtemp(path_.data()) == nullptr)
            throw std::runtime_error("cannot create " + path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_ = "/tmp/nimarena-test-XXXXXX";
};

// The number of this process's file descriptors that are open.
inline std::size_t open_descriptors() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

}  // namespace test
