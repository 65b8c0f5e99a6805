// Written by assemble.sh.

export const image = Uint8Array.from([
  151, 2, 0, 0, 147, 130, 194, 1, 115, 144, 82, 48, 19, 5, 0, 0, 19, 3, 80, 0, 35, 52, 101, 0, 111, 240, 159, 254, 115,
  0, 80, 16, 111, 240, 223, 255,
]);

export const at = {
  faulting: 0x0000000080000014n,
  handler: 0x000000008000001cn,
};
