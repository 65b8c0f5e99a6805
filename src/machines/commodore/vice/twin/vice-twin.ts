import { advice, call, MachineError } from '../../../../machine/errors.ts';
import type { ProgramSource } from '../../../../machine/program.ts';
import type { TwinCapability, TwinDifference, TwinReport, TwinRequest } from '../../../../machine/twin.ts';
import { programImage } from '../../machine/program-image.ts';
import { readable } from '../../machine/readable-media.ts';
import { requireFitting } from '../../machine/require-fitting.ts';
import { HeldSettings } from '../held-settings.ts';
import { longestBootMs } from '../vice-program.ts';
import type { ViceScreen } from '../vice-screen.ts';
import type { BoardTwin } from './board-twin.ts';
import type { C64Twin } from './c64-twin.ts';
import { driveMoment, otherDrive, readyDrive } from './drive-moment.ts';
import { InstructionSearch } from './instruction-search.ts';
import { registersOf } from './registers.ts';
import { twinDisk } from './twin-disk.ts';
import { differingBytes, type Kept, kinds, meetingAt, ramOf, type TwinParts } from './twin-parts.ts';

const formats = ['prg', 'p00', 't64', 'asm', 'basic'];
const diskFormats = ['d64', 'g64'];
/** With a cartridge: after them nothing is left of the picture before the reset. */
const framesUnseen = 2;
const [firstColour, lastColour] = [0xd020, 0xd02e];
const endPointers = [0x2d, 0x2f, 0x31];
/** From one of these frames on the instruction is looked for. */
const keptEvery = 16;
const mostCells = 16;
const pieceMs = 20_000;
/** The short form: ten keys wait at most. */
const load = 'L\xcf"*",8,1\r';
const cells = { cursorOff: 0xcc, keysWaiting: 0xc6 } as const;

/** Our own machine in the same cycle as a VICE, from power-up on. */
export class ViceTwin implements TwinCapability {
  readonly kind: string;
  readonly #parts: TwinParts;
  #twin: BoardTwin | undefined;
  #frame = 0;
  #kept: Kept | undefined;
  /** From this frame on pictures are compared. */
  #seenFrom = 0;
  readonly #held = new HeldSettings();
  /** From this frame on nothing but pictures differs. */
  #seen: number | undefined;
  /** LOAD was typed, and RUN not yet. */
  #isLoading = false;

  constructor(parts: TwinParts) {
    this.#parts = parts;
    this.kind = kinds[parts.model.program];
  }

  async compare(request: TwinRequest, signal: AbortSignal): Promise<TwinReport> {
    let report: TwinReport;
    try {
      report = await this.#compare(request, signal);
    } finally {
      if (!this.#twin) await this.leave();
    }
    const { names } = this.#held;
    if (names.length === 0) return report;
    const note = `as long as this comparison can go on, VICE has other settings: ${names.join(', ')}`;
    return { ...report, notes: [...report.notes, note] };
  }

  /** The comparison is over: VICE has its own settings again. */
  async leave(): Promise<void> {
    const { engine, session } = this.#parts;
    if (this.#held.names.length > 0 && !session.isOver) await engine.exclusively(() => this.#held.release(session));
  }

  async #compare(request: TwinRequest, signal: AbortSignal): Promise<TwinReport> {
    const end = performance.now() + request.wallMs;
    const { engine } = this.#parts;
    if (engine.state === 'RUNNING') await engine.pause();
    const notes = request.program ? await this.#start(request.program, signal) : this.#goOn();
    const twin = this.#twin as BoardTwin;
    const last = this.#frame + request.frames;
    const report = (rest: Partial<TwinReport>): TwinReport => ({ frame: this.#frame, notes, ...rest });
    let sameUntil = 0;
    while (this.#frame < last) {
      if (signal.aborted) return report({ ended: 'the call was cancelled' });
      if (performance.now() >= end) return report({ ended: 'time is up' });
      if (!this.#kept || this.#frame - this.#kept.frame >= keptEvery) await this.#keep(twin);
      const { cause, reason } = await engine.run({ frames: 1, wallMs: request.wallMs }, signal);
      if (cause !== 'limit' || reason !== 'frames') {
        this.#twin = undefined;
        return report({ ended: `VICE stopped: ${reason}` });
      }
      this.#frame++;
      const found = await this.#difference(twin, request);
      if (!found) {
        sameUntil = this.#parts.session.now.cycles ?? 0;
        await this.#runLoaded(twin);
        continue;
      }
      // From here on ours is no longer where VICE is.
      this.#twin = undefined;
      const { instruction, why = [] } = await new InstructionSearch(this.#parts, twin, request).find(
        found,
        this.#kept,
        sameUntil,
        signal,
      );
      return report({ difference: { ...found, ...(instruction && { instruction }) }, notes: [...notes, ...why] });
    }
    return report({});
  }

  /** Both from power-up to the prompt, then with the program in memory and RUN typed. */
  async #start(source: ProgramSource, signal: AbortSignal): Promise<readonly string[]> {
    if (source.format === 'crt') return this.#startCartridge(source, signal);
    if (diskFormats.includes(source.format)) return this.#startDisk(source, signal);
    const { model } = this.#parts;
    const { name, basicStart } = model;
    const { bytes, warnings = [] } = await programImage(source, { name, basicStart, formats }, signal);
    const [low = 0, high = 0] = bytes;
    const first = low | (high << 8);
    const body = bytes.subarray(2);
    requireFitting(source, { firstAddress: first, bytes: body.length }, { ramEnd: () => 0x10000 });
    const twin = await this.#newTwin();
    await this.#switchOn(twin);
    await this.#passTogether(twin, this.#parts.model.bootFrames, signal);
    await twin.beginFrom(this.#parts.session);
    const isBasic = first === basicStart;
    await this.#write(twin, first, body);
    const last = first + body.length;
    if (isBasic) for (const at of endPointers) await this.#write(twin, at, Uint8Array.of(last & 255, last >> 8));
    await this.#type(twin, isBasic ? 'RUN\r' : `SYS${first}\r`);
    this.#twin = twin;
    return [...warnings, isBasic ? 'RUN was typed on both' : `SYS ${first} was typed on both`];
  }

  /** Both to the prompt with the disk in drive 8, whose state is then VICE's, and with LOAD typed. */
  async #startDisk({ name, bytes }: ProgramSource, signal: AbortSignal): Promise<readonly string[]> {
    const { media, kept, engine, session, model } = this.#parts;
    if (!media || !kept) throw takesNoFiles();
    if (model.program !== 'x64sc') throw onlyC64(name, 'disks');
    const disk = readable(name, () => twinDisk(bytes));
    const rom = await engine.exclusively(() => readyDrive(session, this.#held));
    const twin = (await this.#newTwin(rom)) as C64Twin;
    await this.#switchOn(twin);
    await media.attach('drive8', { name: 'disk.g64', bytes: disk, readOnly: false });
    await twin.insertDisk(disk);
    await this.#passTogether(twin, this.#parts.model.bootFrames, signal);
    const moment = driveMoment(await engine.exclusively(() => kept.dump()));
    if (!moment) throw otherDrive();
    twin.adoptDrive(moment);
    await this.#type(twin, load);
    this.#isLoading = true;
    this.#twin = twin;
    return ['LOAD"*",8,1 was typed on both, and RUN will be after it'];
  }

  /** What was on the disk is in memory: BASIC has said READY. */
  async #runLoaded(twin: BoardTwin): Promise<void> {
    const { cursorOff, keysWaiting } = cells;
    const { ram } = twin.board;
    if (!this.#isLoading || ram[cursorOff] !== 0 || ram[keysWaiting] !== 0) return;
    this.#isLoading = false;
    await this.#type(twin, 'RUN\r');
  }

  /** Both from power-up on with the cartridge in them. */
  async #startCartridge({ name, bytes }: ProgramSource, signal: AbortSignal): Promise<readonly string[]> {
    const { media, model } = this.#parts;
    if (!media) throw takesNoFiles();
    if (model.program !== 'x64sc') throw onlyC64(name, 'cartridges');
    const twin = (await this.#newTwin()) as C64Twin;
    readable(name, () => twin.insert(bytes));
    await media.attach('cartridge', { name, bytes, readOnly: true }, true);
    await this.#blacken(twin.start, signal);
    await this.#switchOn(twin, twin.start);
    this.#seenFrom = framesUnseen + 1;
    this.#twin = twin;
    return ['both were switched on with the cartridge'];
  }

  /** VICE is drawn in the colours of before until a program sets others: it takes one of them a cycle, and all but one are lost at power-up. */
  async #blacken(start: number, signal: AbortSignal): Promise<void> {
    const { session, engine } = this.#parts;
    await engine.powerUp('hard', start);
    for (let register = firstColour; register <= lastColour && !signal.aborted; register++) {
      await engine.exclusively(() => session.poke(session.banks.get('io') ?? 0, register, Uint8Array.of(0)));
      await engine.step({ kind: 'into', count: 1, back: false, wallMs: pieceMs }, signal);
    }
  }

  /** With what VICE has in its sockets; what was in its cartridge slot is out. */
  async #newTwin(driveRom?: Uint8Array): Promise<BoardTwin> {
    if (!driveRom) await this.leave();
    this.#twin = undefined;
    this.#kept = undefined;
    this.#frame = 0;
    this.#seenFrom = 0;
    this.#seen = undefined;
    this.#isLoading = false;
    const { media } = this.#parts;
    const slot = media?.slots.find(({ name }) => name === 'cartridge');
    if (slot?.medium !== undefined) await media?.detach('cartridge', true);
    const { session, model } = this.#parts;
    // A board with its chips and ROMs is loaded when it is needed: most machines of this kind are never compared.
    if (model.program === 'xvic') return (await import('./vic20-twin.ts')).Vic20Twin.of(session, model.standard);
    if (model.program === 'xplus4') return (await import('./plus4-twin.ts')).Plus4Twin.of(session, model.standard);
    return (await import('./c64-twin.ts')).C64Twin.of(session, driveRom);
  }

  async #switchOn(twin: BoardTwin, start?: number): Promise<void> {
    const { session, engine } = this.#parts;
    await engine.powerUp('hard', start);
    const { now } = session;
    if (
      !(await twin.align({ ...registersOf(now.registers), time: now.cycles ?? 0, line: now.line, cycle: now.cycle }))
    ) {
      throw new MachineError(
        'UNAVAILABLE',
        `This VICE starts elsewhere than our ${this.kind}: at $${now.pc.toString(16)}, line ${now.line}, cycle ${now.cycle}.`,
        advice`Take cartridges out of it, or compare by hand: ${call('machine_start', { kind: this.kind })}.`,
      );
    }
    await twin.adoptFrom(session);
  }

  /** Nothing is compared meanwhile. */
  async #passTogether(twin: BoardTwin, frames: number, signal: AbortSignal): Promise<void> {
    const { session, engine } = this.#parts;
    const { cause, reason } = await engine.run({ frames, wallMs: longestBootMs }, signal);
    if (reason !== 'frames') {
      throw new MachineError(
        'UNAVAILABLE',
        `VICE did not get that far: ${reason}.`,
        cause === 'breakpoint' ? advice`Delete it with ${call('breakpoint_delete')} and compare again.` : 'Try again.',
      );
    }
    await twin.runToInTurns(session.now.cycles ?? 0);
  }

  #goOn(): readonly string[] {
    // Somebody may have changed memory meanwhile.
    this.#kept = undefined;
    if (this.#twin?.isAt(this.#parts.session.now.cycles ?? -1)) return [];
    throw new MachineError(
      'WRONG_STATE',
      'There is no comparison to continue: none was started, it found a difference, or VICE was moved since.',
      'Give the program again.',
    );
  }

  async #write(twin: BoardTwin, address: number, bytes: Uint8Array): Promise<void> {
    const { session } = this.#parts;
    twin.board.ram.set(bytes, address);
    await session.poke(session.banks.get('ram') ?? 0, address, bytes);
  }

  async #type(twin: BoardTwin, keys: string): Promise<void> {
    const { keyBuffer, keysWaiting } = this.#parts.model.cells ?? { keyBuffer: 0x277, keysWaiting: 0xc6 };
    await this.#write(
      twin,
      keyBuffer,
      Uint8Array.from(keys, (key) => key.charCodeAt(0)),
    );
    await this.#write(twin, keysWaiting, Uint8Array.of(keys.length));
  }

  async #keep(twin: BoardTwin): Promise<void> {
    const { kept, engine } = this.#parts;
    if (!kept) return;
    const theirs = await engine.exclusively(() => kept.dump());
    this.#kept = { frame: this.#frame, theirs, ours: twin.board.snapshot() };
  }

  /** Brings ours to where VICE is, and looks at both. */
  async #difference(twin: BoardTwin, request: TwinRequest): Promise<TwinDifference | undefined> {
    const { session, screen } = this.#parts;
    const { now } = session;
    const ram = request.memory ? await ramOf(session) : undefined;
    const isSame = await twin.arrive(meetingAt(now, twin, request, ram));
    const isSeen = request.picture && this.#frame >= this.#seenFrom;
    const { pixels, first } = isSeen ? await this.#pixels(twin, screen) : { pixels: 0, first: undefined };
    const addresses = ram ? differingBytes(twin, ram, request) : [];
    const isPictureAlone = addresses.length === 0 && (isSame || !request.processor);
    const seen = this.#seen;
    this.#seen = pixels > 0 && isPictureAlone ? (seen ?? this.#frame) : undefined;
    if (isPictureAlone && pixels === 0) return undefined;
    // Where they are not in the same cycle, what is drawn may differ for a frame.
    if (isPictureAlone && !twin.isExact && seen === undefined) return undefined;
    return {
      frame: isPictureAlone ? (this.#seen ?? this.#frame) : this.#frame,
      pixels,
      ...(first && { pixel: first }),
      bytes: addresses.length,
      cells: addresses.slice(0, mostCells).map((address) => ({
        address,
        ours: twin.byteAt(address),
        theirs: ram?.[address] ?? 0,
      })),
    };
  }

  async #pixels(twin: BoardTwin, screen: ViceScreen) {
    const found = await twin.pixels(screen);
    if (!found)
      throw new MachineError('UNAVAILABLE', "VICE's picture is not the same size as ours.", 'Leave "picture" out.');
    return { pixels: found.count, first: found.first };
  }
}

function takesNoFiles(): MachineError {
  const fix = 'Start one here, or attach to one on this computer.';
  return new MachineError('UNAVAILABLE', 'This VICE cannot read the files of this server.', fix);
}

function onlyC64(name: string, what: string): MachineError {
  return new MachineError('UNAVAILABLE', `${name}: ${what} are compared on a C64.`, 'Use "program":"x64sc".');
}
