import { operations } from '../../../links/vice/wire.ts';
import type { ViceSession } from './vice-session.ts';

const stackPage = 0x100;

/** The way out of a subroutine, piece by piece. */
export interface WayOut {
  /** Goes on until `end` at most; true when it has returned. */
  go(end: Promise<unknown>): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * Until the subroutine has returned: the stack holds less than it did, and what was taken from it last is where the
 * processor is now. What a program pushes and pulls is no return.
 */
export function stepOut(session: ViceSession): WayOut {
  let checkpoint: number | undefined;
  const forget = async () => {
    if (checkpoint !== undefined) await session.deleteCheckpoint(checkpoint).catch(() => {});
    checkpoint = undefined;
  };
  const watch = async (depth: number) => {
    await forget();
    checkpoint = await session.setCheckpoint(0, 0xffff, operations.exec, `SP > $${depth.toString(16)}`);
  };
  return {
    async go(end) {
      if (checkpoint === undefined) await watch(session.now.registers.get('SP') ?? 0xff);
      await session.runUntil(end);
      if (checkpoint === undefined || !session.hits.has(checkpoint)) return false;
      const { pc, registers } = session.now;
      const top = registers.get('SP') ?? 0xff;
      const stack = await session.peek(0, stackPage, 0x100);
      const taken = (stack[(top - 1) & 255] ?? 0) | ((stack[top] ?? 0) << 8);
      if (pc === taken || pc === ((taken + 1) & 0xffff)) return true;
      await watch(top);
      return false;
    },
    end: forget,
  };
}
