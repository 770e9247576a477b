// Runs a fuzz target on all files of the given folders, without a fuzzer. With `--mutations N`
// first: also on N mutations of each file, the same ones each time.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

// Copies a block over another, as a page of a database over another page.
void copy_block(std::string& bytes, std::mt19937_64& random) {
    const std::size_t size = std::size_t{1} << random() % 13;
    const auto place = [&] { return random() % bytes.size() / size * size; };
    const std::string block = bytes.substr(place(), size);
    const std::size_t to = place();
    const std::size_t copied = std::min(block.size(), bytes.size() - to);
    bytes.replace(to, copied, block, 0, copied);
}

// Changes a few bytes, and sometimes copies a block or cuts off the end.
std::string mutated(std::string bytes, std::mt19937_64& random) {
    if (bytes.empty()) return bytes;
    const auto place = [&] { return random() % bytes.size(); };
    for (auto changes = 1 + random() % 16; changes > 0; --changes) {
        char& byte = bytes[place()];
        byte = random() % 2 == 0 ? static_cast<char>(random())
                                 : static_cast<char>(byte ^ (1 << random() % 8));
    }
    if (random() % 4 == 0) copy_block(bytes, random);
    if (random() % 16 == 0) bytes.resize(place());
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    int first = 1;
    int mutations = 0;
    if (argc > 2 && std::string_view(argv[1]) == "--mutations") {
        mutations = std::atoi(argv[2]);
        first = 3;
    }
    std::mt19937_64 random(1);
    std::size_t inputs = 0;
    for (int i = first; i < argc; ++i) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
            if (!entry.is_regular_file()) continue;
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(file), {}};
            run(bytes);
            for (int k = 0; k < mutations; ++k) run(mutated(bytes, random));
            inputs += 1 + static_cast<std::size_t>(mutations);
        }
    }
    std::printf("%zu inputs\n", inputs);
    return inputs > 0 ? 0 : 1;
}
