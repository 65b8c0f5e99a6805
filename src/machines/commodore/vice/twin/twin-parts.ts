import type { TwinRequest } from '../../../../machine/twin.ts';
import type { ViceEngine } from '../vice-engine.ts';
import type { ViceMedia } from '../vice-media.ts';
import type { ViceModel } from '../vice-models.ts';
import type { ViceScreen } from '../vice-screen.ts';
import type { Moment, ViceSession } from '../vice-session.ts';
import type { BoardTwin, Meeting } from './board-twin.ts';
import { registersOf } from './registers.ts';

/** Which of ours is beside which of VICE's programs. */
export const kinds = { x64sc: 'c64', xvic: 'vic20', xplus4: 'plus4' } as const;

/** One that can be gone back to, of both. */
export interface Kept {
  readonly frame: number;
  readonly theirs: Uint8Array;
  readonly ours: Uint8Array;
}

export interface TwinParts {
  readonly session: ViceSession;
  readonly engine: ViceEngine;
  readonly screen: ViceScreen;
  readonly model: ViceModel & { readonly basicStart: number; readonly program: keyof typeof kinds };
  readonly media?: ViceMedia;
  /** VICE's own snapshots; absent where it cannot give us files. */
  readonly kept?: { dump(): Promise<Uint8Array>; become(bytes: Uint8Array): Promise<void> };
}

export function hasTwin(program: string): program is keyof typeof kinds {
  return program in kinds;
}

export function ramOf(session: ViceSession): Promise<Uint8Array> {
  return session.peek(session.banks.get('ram') ?? 0, 0, 0x10000);
}

export function differingBytes(twin: BoardTwin, ram: Uint8Array, { ignored }: TwinRequest): readonly number[] {
  const differing = twin.differingBytes(ram);
  return differing.filter((address) => !ignored.some(({ first, last }) => address >= first && address <= last));
}

/** `ram`: what VICE has, where that is compared. */
export function meetingAt(now: Moment, twin: BoardTwin, request: TwinRequest, ram?: Uint8Array): Meeting {
  return {
    time: now.cycles ?? 0,
    registers: registersOf(now.registers),
    comparesProcessor: request.processor,
    hasSameMemory: () => !ram || differingBytes(twin, ram, request).length === 0,
  };
}
