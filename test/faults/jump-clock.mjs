/** Preloaded: SIGUSR2 makes the clock of this process jump, first two hours ahead and then a day back. */
const jumps = [7_200_000, -86_400_000];
const RealDate = Date;
let offset = 0;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }

  static now() {
    return RealDate.now() + offset;
  }
};

process.on('SIGUSR2', () => {
  offset += jumps.shift() ?? 0;
});
