import { endOfTrack, MidiStream, midiHeader } from '../../../formats/midi/midi-stream.ts';
import type { HostFile } from '../../../machine/files.ts';
import type { Host } from '../../../machine/host.ts';

/** Bytes of events that may wait for the disk; what comes then is lost, and counted. */
const mostWaiting = 1024 * 1024;
const headerBytes = midiHeader(0).length;

/** What the machine plays over MIDI, as a file of the user's that is whole after each flush. */
export class MidiFile {
  readonly #file: HostFile;
  readonly #host: Pick<Host, 'report'>;
  readonly #stream: MidiStream;
  #waiting: number[] = [];
  #written = 0;
  #lost = 0;
  #trouble = '';
  #writing: Promise<void> | undefined;

  static async open(path: string, host: Pick<Host, 'files' | 'report'>): Promise<MidiFile> {
    const midi = new MidiFile(await host.files.create(path), host);
    await midi.#write([]);
    return midi;
  }

  private constructor(file: HostFile, host: Pick<Host, 'report'>) {
    this.#file = file;
    this.#host = host;
    this.#stream = new MidiStream((event) => {
      if (this.#waiting.length < mostWaiting) this.#waiting.push(...event);
      else this.#lost++;
    });
  }

  play(byte: number, seconds: number): void {
    this.#stream.add(byte, seconds);
  }

  /** Called now and then; what cannot be written is tried again the next time. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#writing ??= this.#write(this.#waiting.slice()).finally(() => {
      this.#writing = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    if (this.#waiting.length > 0) await this.#write(this.#waiting.slice());
    this.#file.close();
  }

  /** Events and the end mark first, then the length that takes them in. */
  async #write(events: readonly number[]): Promise<void> {
    try {
      await this.#file.write(Uint8Array.from([...events, ...endOfTrack]), headerBytes + this.#written);
      await this.#file.write(midiHeader(this.#written + events.length + endOfTrack.length), 0);
      this.#written += events.length;
      this.#waiting = this.#waiting.slice(events.length);
      this.#tell('');
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
    }
  }

  /** Once when trouble begins, and once when it is over. */
  #tell(trouble: string): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    const lost = this.#lost > 0 ? `; ${this.#lost} events are lost` : '';
    const text =
      trouble === '' ? `${this.#file.path} is written again${lost}` : `${this.#file.path}: ${trouble}; notes wait`;
    this.#host.report({ type: 'midi', text, data: { lost: this.#lost } });
  }
}
