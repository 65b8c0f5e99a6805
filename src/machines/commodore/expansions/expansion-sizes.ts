/** In KiB. */
export const reuSizes = {
  '128K': 128,
  '256K': 256,
  '512K': 512,
  '1M': 1024,
  '2M': 2048,
  '4M': 4096,
  '8M': 8192,
  '16M': 16384,
} as const;
export const geoRamSizes = {
  '64K': 64,
  '128K': 128,
  '256K': 256,
  '512K': 512,
  '1M': 1024,
  '2M': 2048,
  '4M': 4096,
} as const;
export const dqbbSizes = { '16K': 16, '32K': 32, '64K': 64, '128K': 128, '256K': 256 } as const;
export const ramCartSizes = { '64K': 64, '128K': 128 } as const;
