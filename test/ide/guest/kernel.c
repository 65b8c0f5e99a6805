/* A kernel of a few lines for a bare aarch64 board: it counts, by a function. */
volatile unsigned counter;
void walk(void);
unsigned add(unsigned left, unsigned right) {
  unsigned sum = left + right;
  return sum;
}

void start(void) {
  for (;;) {
    counter = add(counter, 2);
    walk();
  }
}

enum colour { red, green = 5 };
struct point {
  int x;
  short y[3];
  struct point *next;
  const char *name;
  enum colour colour;
  unsigned low : 3, high : 4;
};

struct point last = {7, {1, 2, 3}, 0, "last", red, 1, 2};

void walk(void) {
  struct point here = {-4, {10, 20, 30}, &last, "here", green, 5, 9};
  unsigned *count = (unsigned *)&counter;
  here.x = here.x + here.y[1];
  *count = here.x + here.low;
}
