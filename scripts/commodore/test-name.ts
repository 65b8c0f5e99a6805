import type { SuiteTest } from './run-test.ts';

/** The program, the image beside it, and the picture where there are several; some tests are a cartridge and no program. */
export function testName({ prg, mounts = [], reference }: SuiteTest): string {
  const model = /-[^-/]+(?=\.png$)/.exec(reference ?? '')?.[0].slice(1);
  const parts = [prg, ...mounts.map(({ path }) => path), model && /^85/.test(model) ? model : undefined];
  return parts.filter((part) => part !== undefined).join(' ');
}
