/* A kernel of a few lines for a bare aarch64 board: it counts, by a function. */
volatile unsigned counter;

unsigned add(unsigned left, unsigned right) {
  unsigned sum = left + right;
  return sum;
}

void start(void) {
  for (;;) {
    counter = add(counter, 2);
  }
}
