import { MachineError } from '../../machine/errors.ts';
import type { KeyboardCapability } from '../../machine/input.ts';
import type { RackedMachine } from '../../rack/racked-machine.ts';

/**
 * Typed in one turn: others who want the machine wait no longer than that. Where time passes only for the typing, one
 * character, so that nothing that stops the machine is passed over.
 */
const pieceChars = 16;

export interface PasteEnd {
  readonly typed: number;
  /** Why the rest was not typed. */
  readonly why?: string;
  /** Somebody or something has stopped the machine, or has changed it. */
  readonly isTaken?: boolean;
}

/**
 * Types text on a machine as the tools do, in pieces, so that nobody waits long for it. Ends early when the machine or
 * the signal stop it, and when an agent's call has changed it. Rejects if nothing of it can be typed.
 */
export async function personPaste(
  { queue, gone, machine }: RackedMachine,
  keyboard: KeyboardCapability,
  text: string,
  ended: AbortSignal,
  progress: (typed: number) => void,
): Promise<PasteEnd> {
  const signal = AbortSignal.any([ended, gone]);
  const characters = [...text];
  let typed = 0;
  let turns = queue.turns;
  const isTimed = machine.control?.framesPerSecond !== undefined;
  for (const piece of piecesOf(characters, keyboard, isTimed ? 1 : pieceChars)) {
    try {
      const isTaken = await queue.run('a person at the live page', signal, async () => {
        turns++;
        if (queue.turns !== turns) return true;
        await keyboard.type(piece.join(''), signal);
        return false;
      });
      if (isTaken) return { typed, why: 'an agent has used the machine.', isTaken };
    } catch (error) {
      if (!signal.aborted) {
        typed += typedOf(error);
        if (typed === 0) throw error;
        return { typed, why: fixOf(error) };
      }
    }
    if (signal.aborted) return { typed, why: 'it was stopped.' };
    typed += piece.length;
    progress(typed);
    const { stop } = machine.status();
    if (isTimed && stop && stop.cause !== 'limit') {
      return { typed, why: `the machine was stopped (${stop.reason}).`, isTaken: true };
    }
  }
  return { typed };
}

/** With a character that no chord types the keyboard has to say itself what it makes of the whole. */
function piecesOf(characters: readonly string[], keyboard: KeyboardCapability, most: number): (readonly string[])[] {
  if (characters.some((character) => keyboard.keysFor(character) === undefined)) return [characters];
  const count = Math.ceil(characters.length / most);
  return Array.from({ length: count }, (_, index) => characters.slice(index * most, (index + 1) * most));
}

/** What it says of itself counts the characters of one piece. */
function typedOf(error: unknown): number {
  const typed = error instanceof MachineError ? error.data.typed : undefined;
  return typeof typed === 'number' ? typed : 0;
}

function fixOf(error: unknown): string {
  if (error instanceof MachineError) return error.fix;
  return error instanceof Error ? error.message : String(error);
}
