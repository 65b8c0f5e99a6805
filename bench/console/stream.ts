/** Ends a flood. Nothing else that a guest of the bench prints holds this byte. */
export const endMark = Buffer.from([0x04]);

const probeSign = 0x40;

/** A line that says when it was printed. */
export function probe(printedMs: number): string {
  return `@${printedMs}\n`;
}

export function isProbe(bytes: Uint8Array): boolean {
  return bytes[0] === probeSign;
}

/** When the probes in these bytes were printed. */
export function probeTimes(bytes: Uint8Array): number[] {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  return lines.filter((line) => line.startsWith('@')).map((line) => Number(line.slice(1)));
}
