const mebibyte = 1024 * 1024;

/** How large files may be that tools read whole. */
export const fileLimits = {
  program: 64 * mebibyte,
  medium: 64 * mebibyte,
  names: 16 * mebibyte,
  /** A kernel with its debugging information has a few hundred. */
  symbols: 1024 * mebibyte,
  transfer: 256 * mebibyte,
  /** Over a serial line nothing larger gets through in a call. */
  modem: 64 * mebibyte,
} as const;
