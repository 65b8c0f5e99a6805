/** Vectors of the faults that the processor raises itself. */
export const faultVectors = {
  invalidOpcode: 6,
  doubleFault: 8,
  invalidTask: 10,
  notPresent: 11,
  stackFault: 12,
  generalFault: 13,
  pageFault: 14,
  numericError: 16,
  alignment: 17,
} as const;
