import { expectTypeOf, test } from 'vitest';
import type * as real from '../gym.ts';
import type * as declared from './gym.d.ts';

/** Whatever one has and the other takes, with or without `undefined`. */
type Loosely<T> = T extends (...args: never[]) => unknown ? T : { [Key in keyof T]: Loosely<T[Key]> };

test('what the declarations say of the package is what it has', () => {
  expectTypeOf<declared.VectorOptions>().toExtend<real.VectorOptions>();
  expectTypeOf<real.VectorOptions>().toExtend<declared.VectorOptions>();
  expectTypeOf<real.VectorStep>().toEqualTypeOf<declared.VectorStep>();
  expectTypeOf<real.ObservationPart>().toEqualTypeOf<declared.ObservationPart>();
  expectTypeOf<real.Vector>().toExtend<declared.Vector>();
  expectTypeOf<keyof real.Vector>().toEqualTypeOf<keyof declared.Vector>();
  expectTypeOf<keyof typeof real>().toEqualTypeOf<keyof typeof declared>();
  expectTypeOf<typeof real.openVector>().toExtend<typeof declared.openVector>();
  expectTypeOf<Loosely<typeof real.allStickPositions>>().toExtend<Loosely<typeof declared.allStickPositions>>();
});
