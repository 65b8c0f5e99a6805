import type { Machine } from '../../src/machine/machine.ts';
import { never } from './context.ts';

/** As programs see it: the accumulator after each of these pieces of code. */
export function readByCode(base: number, ...pieces: readonly string[]) {
  return async ({ routines }: Machine): Promise<readonly unknown[]> => {
    const results = [];
    for (const code of pieces) {
      const bytes = Buffer.from(`${code}60`.replaceAll(' ', ''), 'hex');
      const request = { registers: {}, interrupts: false, asHandler: false, maxCycles: 1000 };
      const address = BigInt(base);
      const done = await routines?.call({ ...request, address, memory: [{ address, bytes }] }, never);
      results.push(done?.registers.find(({ name }) => name === 'A')?.value);
    }
    return results;
  };
}

export const ofCommodores = {
  prompt: /^READY\./im,
  medium: { name: 'blank.d64', bytes: new Uint8Array(174_848), readOnly: false },
  untyped: 'compilers write their debug information, and its tests call them (test/c64/source-level.test.ts)',
  symbolFile: (name: string, address: bigint) => `al C:${address.toString(16).padStart(4, '0')} .${name}`,
};

export const printing = (base: string) => `
        * = ${base}
        ldx #0
next    lda text,x
        beq done
        jsr $ffd2
        inx
        bne next
done    rts
text    .text "xyzzy"
        .byte 0
`;
