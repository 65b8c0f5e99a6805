// Data as C++ keeps it.
namespace kernel {

enum class State : unsigned char { ready = 3, waiting = 7 };

struct Base {
  int number = 41;
};

template <typename T> struct Pair {
  T first, second;
};

class Device : public Base {
public:
  const char *name = "uart";
  State state = State::waiting;
  unsigned ready : 1 = 1, retries : 5 = 21;
  Pair<short> size = {80, 25};
  int add(int more) {
    int &total = number;
    total += more;
    return total; // inside
  }
};

Device device;

} // namespace kernel

static float ratio = 2.5f;
static bool enabled = true;

extern "C" int kernel_main() { return kernel::device.add(1) + int(ratio) + enabled; }
extern "C" void enter_user_unused() {}
