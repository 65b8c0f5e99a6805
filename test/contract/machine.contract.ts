import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Kind } from '../../src/machine/kind.ts';
import { capabilitiesOf } from '../../src/machine/machine.ts';
import type { Rack } from '../../src/rack/rack.ts';
import type { RackedMachine } from '../../src/rack/racked-machine.ts';
import { makeRack } from '../make-rack.ts';

export interface ContractSubject {
  readonly kind: Kind;
  /** Options that start a machine of this kind here and now. */
  options(): Promise<Record<string, unknown>>;
  /** Capabilities that the kind promises. */
  readonly capabilities: readonly string[];
}

/** What every kind of machine owes its callers. */
export function describeMachine(subject: ContractSubject): void {
  describe(subject.kind.kind, () => {
    let rack: Rack;
    let racked: RackedMachine;

    beforeEach(async () => {
      rack = makeRack([subject.kind]);
      racked = await rack.start(subject.kind.kind, await subject.options());
    });
    afterEach(() => rack.close());

    test('says how it is in one line that begins with its handle', () => {
      expect(racked.stateLine).toMatch(new RegExp(`^${racked.handle} [A-Z ]+( at \\S+)?( · [^\\n]+)*$`));
    });

    test('has the capabilities it promises', () => {
      expect(capabilitiesOf(racked.machine)).toEqual(subject.capabilities);
    });

    test('describes every option', () => {
      for (const [name, schema] of Object.entries(subject.kind.options.shape)) {
        const { description, def } = schema as { description?: string; def: { innerType?: { description?: string } } };
        expect(name).toMatch(/^[a-z][a-z0-9_]*$/);
        expect(description ?? def.innerType?.description, name).toBeTruthy();
      }
    });

    test('can be disposed of twice and aborts what waits for it', async () => {
      const { gone } = racked;
      await rack.stop(racked.handle, 'test');
      expect(gone.aborted).toBe(true);
      await racked.machine[Symbol.asyncDispose]();
    });

    test('leaves its handle free for another', async () => {
      const { handle } = racked;
      await rack.stop(handle, 'test');
      expect((await rack.start(subject.kind.kind, await subject.options())).handle).toBe(handle);
    });

    test('several live side by side', async () => {
      const second = await rack.start(subject.kind.kind, await subject.options());
      expect(second.handle).not.toBe(racked.handle);
      expect(rack.machines).toHaveLength(2);
    });

    test('memory is read exactly as long as asked, without disturbing it', async () => {
      const { memory } = racked.machine;
      for (const { name } of memory?.spaces ?? []) {
        const first = await memory?.peek(name, 0n, 3);
        expect(first).toHaveLength(3);
        expect(await memory?.peek(name, 0n, 3)).toEqual(first);
      }
    });

    test('each console port reads from any offset and refuses none', () => {
      for (const port of racked.machine.console?.ports ?? []) {
        expect(port.output.start).toBeLessThanOrEqual(port.output.end);
        const { bytes, from } = port.output.read(0, 10);
        expect(from + bytes.length).toBeLessThanOrEqual(port.output.end);
      }
    });
  });
}
