import { plus4Model } from './plus4-model.ts';

/** The Plus/4's smaller brother, which has the same ROMs, keys and cells. */
export const c16Model = { ...plus4Model, kind: 'c16', name: 'C16' } as const;
