/** The coprocessors this chip can be, in the order in which they came. */
export const coprocessorModels = ['8087', '80287', '80387'] as const;
export type CoprocessorModel = (typeof coprocessorModels)[number];
