import type { WebSocket } from 'ws';
import type { Machine } from '../machine/machine.ts';
import type { Rack } from '../rack/rack.ts';
import type { RackedMachine } from '../rack/racked-machine.ts';
import { encodePicture, type PageCommand, type PageEvent } from './channel.ts';

const frameMs = 20;
const statusMs = 500;
/** A viewer that does not keep up misses pictures, never events. */
const maxWaitingBytes = 1_000_000;
const shownCalls = 50;

/** One viewer: sends what changes, carries out what they press. */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #rack: Rack;
  readonly #timers: NodeJS.Timeout[];
  #watched: string | undefined;
  /** A machine that somebody looks at is in use. */
  #release: (() => void) | undefined;
  #lastMachines = '';
  #lastCall = 0;
  #lastPicture: Uint8Array | undefined;

  constructor(socket: WebSocket, rack: Rack) {
    this.#socket = socket;
    this.#rack = rack;
    this.#timers = [
      setInterval(() => void this.#showPicture(), frameMs),
      setInterval(() => this.#showStatus(), statusMs),
    ];
    socket.on('message', (data) => void this.#obey(String(data)));
    socket.on('error', () => socket.terminate());
    this.#showStatus();
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#release?.();
    this.#release = undefined;
    this.#socket.close();
  }

  #send(event: PageEvent): void {
    this.#socket.send(JSON.stringify(event));
  }

  #showStatus(): void {
    const machines = this.#rack.machines.map(({ handle, machine, stateLine }) => ({
      handle,
      kind: machine.kind,
      line: stateLine,
      hasScreen: machine.screen !== undefined,
      hasKeyboard: machine.keyboard !== undefined,
    }));
    const text = JSON.stringify(machines);
    if (text !== this.#lastMachines) this.#send({ type: 'machines', machines });
    this.#lastMachines = text;
    const calls = this.#rack.journal.entries.filter(({ seq }) => seq > this.#lastCall).slice(-shownCalls);
    const last = calls.at(-1);
    if (!last) return;
    this.#lastCall = last.seq;
    this.#send({
      type: 'calls',
      calls: calls.map((call) => ({
        ...call,
        arguments: JSON.stringify(call.arguments).slice(0, 2000),
        answer: call.answer.slice(0, 4000),
      })),
    });
  }

  async #showPicture(): Promise<void> {
    const screen = this.#machine()?.machine.screen;
    if (!screen || this.#socket.bufferedAmount > maxWaitingBytes) return;
    const picture = await screen.picture();
    const before = this.#lastPicture;
    const pixels = 'rgb' in picture ? picture.rgb : picture.pixels;
    if (before?.length === pixels.length && Buffer.compare(before, pixels) === 0) return;
    this.#lastPicture = pixels;
    const palette = 'rgb' in picture ? new Uint8Array() : picture.palette;
    this.#socket.send(encodePicture({ width: picture.width, height: picture.height, palette, pixels }));
  }

  async #obey(text: string): Promise<void> {
    try {
      await this.#carryOut(JSON.parse(text));
    } catch (error) {
      this.#send({ type: 'trouble', text: error instanceof Error ? error.message : String(error) });
    }
  }

  async #carryOut(command: PageCommand): Promise<void> {
    if (command.type === 'watch') {
      this.#watched = command.machine;
      this.#lastPicture = undefined;
      this.#release?.();
      this.#release = this.#machine()?.use();
      return;
    }
    const racked = this.#machine();
    if (!racked) return;
    const release = racked.use();
    try {
      await act(racked.machine, command);
    } finally {
      release();
    }
  }

  #machine(): RackedMachine | undefined {
    return this.#rack.machines.find(({ handle }) => handle === this.#watched);
  }
}

async function act(machine: Machine, command: Exclude<PageCommand, { type: 'watch' }>): Promise<void> {
  switch (command.type) {
    case 'keys':
      await machine.keyboard?.hold(command.keys);
      return;
    case 'joystick':
      await machine.joystick?.set(command.port, command.directions);
      return;
    case 'control':
      if (command.action === 'pause') await machine.control?.pause();
      else if (command.action === 'reset') await machine.control?.reset('soft');
      else await machine.control?.run({ wallMs: 0 }, new AbortController().signal);
  }
}
