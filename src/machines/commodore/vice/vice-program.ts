import { detectMedia } from '../../../formats/commodore/media/detect-media.ts';
import { pathText, u16 } from '../../../links/vice/wire.ts';
import { advice, MachineError } from '../../../machine/errors.ts';
import type { LoadedProgram, ProgramCapability, ProgramSource } from '../../../machine/program.ts';
import type { ScreenCapability } from '../../../machine/screen.ts';
import { annotationNotes } from '../machine/commodore-symbol-files.ts';
import { isText, type ProgramImage, programImage } from '../machine/program-image.ts';
import { basicError, endedWith, type StartOutcome, shownAfter } from '../machine/program-start.ts';
import type { CommodoreSymbols } from '../symbols/commodore-symbols.ts';
import type { ViceEngine } from './vice-engine.ts';
import type { ViceKeyboard } from './vice-keyboard.ts';
import type { ViceMedia } from './vice-media.ts';
import type { ViceModel } from './vice-models.ts';
import type { ViceSession } from './vice-session.ts';

export const longestBootMs = 40_000;
/** Where BASIC keeps the end of the program; variables, arrays and their end follow it. */
const endPointers = [0x2d, 0x2f, 0x31];
/** A program that has not come back to the prompt in so many runs. */
const looksUntilSure = 5;
const framesBetweenLooks = 4;
/** Until BASIC has read a line and obeyed it. */
const framesToStart = 50;
const media = ['d64', 'd71', 'd81', 'g64', 'tap', 'crt'];

interface ProgramParts {
  readonly session: ViceSession;
  readonly engine: ViceEngine;
  readonly keyboard: ViceKeyboard;
  readonly media: ViceMedia | undefined;
  readonly screen: ScreenCapability;
  readonly symbols: CommodoreSymbols;
  readonly model: ViceModel & { readonly basicStart: number };
}

/** Puts programs into VICE's memory and starts them as a person would, with RUN or SYS; media by VICE's own autostart. */
export class ViceProgram implements ProgramCapability {
  readonly formats: readonly string[];
  readonly #parts: ProgramParts;

  constructor(parts: ProgramParts) {
    this.#parts = parts;
    this.formats = ['prg', 'p00', 't64', 'asm', 'basic', ...(parts.media ? media : [])];
  }

  async load(source: ProgramSource, start: boolean, signal: AbortSignal): Promise<LoadedProgram> {
    const kind = isText(source.format) ? undefined : detectMedia(source.bytes, source.name);
    if (kind !== undefined && media.includes(kind)) return this.#fromMedium(source, start);
    const { name, basicStart } = this.#parts.model;
    const target = { name, basicStart, formats: this.formats };
    const image = await programImage(kind === undefined ? source : { ...source, format: kind }, target, signal);
    const [low = 0, high = 0] = image.bytes;
    const first = low | (high << 8);
    const body = image.bytes.subarray(2);
    if (body.length === 0 || first + body.length > 0x10000) {
      const message = `${source.name}: ${body.length} bytes do not fit at $${first.toString(16)}.`;
      throw new MachineError('INVALID_ARGUMENT', message, 'A PRG begins with its load address, low byte first.');
    }
    const done = start ? await this.#toPrompt(signal) : [];
    await this.#poke(first, body);
    const notes = [...done, ...this.#define(source.name, image), ...(image.warnings ?? [])];
    const loaded = { firstAddress: BigInt(first), lastAddress: BigInt(first + body.length - 1), notes };
    const isBasic = first === basicStart;
    if (isBasic) await this.#setBasicEnd(first + body.length);
    if (!start) return loaded;
    const command = isBasic ? 'RUN' : `SYS${first}`;
    const startAddress = isBasic ? {} : { startAddress: BigInt(first) };
    if (!isBasic && (await this.#reaches(first, command, signal))) {
      return { ...loaded, ...startAddress, started: true };
    }
    if (isBasic || !this.#parts.model.cells) await this.#parts.keyboard.type(`${command}\n`, signal);
    const { note, ...outcome } = await this.#outcome(command, signal);
    return { ...loaded, ...startAddress, ...outcome, notes: [...notes, note] };
  }

  /** As on the built-in machines, machine code waits at its first instruction for time to pass. */
  async #reaches(first: number, command: string, signal: AbortSignal): Promise<boolean> {
    const { engine, keyboard, model, session } = this.#parts;
    if (!model.cells) return false;
    await keyboard.feed(Uint8Array.from(`${command}\r`, (character) => character.charCodeAt(0)));
    await this.#passing({ frames: framesToStart, address: BigInt(first) }, () => session.now.pc === first, signal);
    if (session.now.pc !== first) return false;
    engine.rest();
    return true;
  }

  /** As its screen tells: VICE's monitors do not say what BASIC does. */
  async #outcome(command: string, signal: AbortSignal): Promise<StartOutcome> {
    const { engine, screen } = this.#parts;
    for (let looks = 0; looks < looksUntilSure && !signal.aborted; looks++) {
      const { cause, reason } = await engine.run({ frames: framesBetweenLooks, wallMs: longestBootMs }, signal);
      if (cause === 'breakpoint') return { started: true, note: `it started and was stopped by ${reason}` };
      if (cause === 'fault') return { started: true, failure: reason, note: `it crashed: ${reason}` };
      const shown = shownAfter(command, await screen.text());
      const error = basicError(shown);
      if (error !== undefined || /^READY\./im.test(shown)) return endedWith(command, error);
    }
    return { started: true, note: 'it runs' };
  }

  /** What ran before would be in its way. */
  async #toPrompt(signal: AbortSignal): Promise<readonly string[]> {
    const { engine, model } = this.#parts;
    const { bootFrames } = model;
    // Just booted, with nothing typed or run since.
    if (engine.frame <= bootFrames && engine.frame > 0) return [];
    await engine.powerUp('soft');
    await this.#passing({ frames: bootFrames }, () => false, signal);
    return ['the machine has been reset'];
  }

  /** Lets frames pass before the program begins: breakpoints that are met on the way are not meant for this. */
  async #passing(
    limits: { frames: number; address?: bigint },
    isThere: () => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { engine } = this.#parts;
    const last = engine.frame + limits.frames;
    const end = performance.now() + longestBootMs;
    while (!isThere() && engine.frame < last && !signal.aborted) {
      const wallMs = Math.max(1, end - performance.now());
      const { cause } = await engine.run({ ...limits, frames: last - engine.frame, wallMs }, signal);
      if (cause !== 'breakpoint' || performance.now() > end) return;
    }
  }

  async #fromMedium(source: ProgramSource, start: boolean): Promise<LoadedProgram> {
    const { media: drives, engine, session } = this.#parts;
    const slot = drives?.slotFor({ ...source, size: source.bytes.length });
    if (!drives || slot === undefined) {
      throw new MachineError('MISSING_CAPABILITY', `${source.name} cannot be put into this VICE.`, [
        advice`Load a PRG file.`,
        advice`Or attach to it with its text monitor ("text_monitor"), on the computer that it runs on.`,
      ]);
    }
    const found = await drives.attach(slot, { name: source.name, bytes: source.bytes, readOnly: false });
    if (!start) return { notes: [found] };
    const body = [1, ...u16(source.index ?? 0), ...pathText(drives.pathOf(slot))];
    await engine.interrupted(() => session.autostart(body));
    return { notes: [found, 'VICE resets the machine and loads it: run it for as long as that takes'] };
  }

  async #poke(address: number, bytes: Uint8Array): Promise<void> {
    const { session } = this.#parts;
    await session.poke(session.banks.get('ram') ?? 0, address, bytes);
  }

  async #setBasicEnd(end: number): Promise<void> {
    for (const address of endPointers) await this.#poke(address, Uint8Array.of(end & 255, end >> 8));
  }

  #define(
    name: string,
    { symbols = [], lines = [], annotations = [], text: source = '' }: ProgramImage,
  ): readonly string[] {
    if (symbols.length + annotations.length + lines.length === 0) return [];
    const left = this.#parts.symbols.load(name, symbols, lines, { annotations, texts: new Map([[name, source]]) });
    const defined = `${symbols.length} ${symbols.length === 1 ? 'symbol' : 'symbols'} defined`;
    return [...(symbols.length > 0 ? [defined] : []), ...annotationNotes(annotations, left)];
  }
}
