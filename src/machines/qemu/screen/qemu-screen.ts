import { open, readFile, rm } from 'node:fs/promises';
import { advice, call, MachineError } from '../../../machine/errors.ts';
import type { EncodedPicture, Picture, ScreenCapability, TextScreen } from '../../../machine/screen.ts';
import type { RuntimePaths } from '../launch/runtime-paths.ts';
import type { QemuSession } from '../qemu-session.ts';
import { parsePpm, parsePpmHeader } from './ppm.ts';
import { isPictureOf, readVgaText } from './vga-text.ts';

export interface ScreenOptions {
  readonly session: QemuSession;
  readonly paths: RuntimePaths;
  /** There is a VGA, whose text mode can be read. */
  readonly hasVga: boolean;
  /** It has no modes of its own beside those of a VGA, in which the text of the last VGA mode would still stand. */
  readonly vgaOnly: boolean;
  /** Holds the guest still; the answer lets it go on. */
  hold(): Promise<() => void>;
}

const pngFrom = { major: 7, minor: 1 };

/** What a monitor on the machine's display would show. */
export class QemuScreen implements ScreenCapability {
  readonly #options: ScreenOptions;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  async picture(): Promise<Picture> {
    return this.#dump('.ppm', {}, async (file) => parsePpm(await readFile(file)));
  }

  async png(): Promise<EncodedPicture> {
    const { major, minor } = this.#options.session.client.version;
    if (major < pngFrom.major || (major === pngFrom.major && minor < pngFrom.minor)) {
      throw new MachineError('UNAVAILABLE', 'This QEMU makes no PNG files.', 'Use QEMU 7.1 or later.');
    }
    return this.#dump('.png', { format: 'png' }, async (file) => {
      const png = await readFile(file);
      return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), png };
    });
  }

  /** The size of the picture, without its pixels. */
  async size(): Promise<{ readonly width: number; readonly height: number }> {
    return this.#dump('.ppm', {}, async (file) => {
      const handle = await open(file, 'r');
      try {
        const head = Buffer.alloc(64);
        await handle.read(head, 0, head.length, 0);
        return parsePpmHeader(head);
      } finally {
        await handle.close();
      }
    });
  }

  async text(): Promise<TextScreen | undefined> {
    const { session, paths, hasVga, vgaOnly, hold } = this.#options;
    if (!hasVga) return undefined;
    const letGo = await hold();
    try {
      const text = await readVgaText(session, paths.scratch('.vga'));
      return text && (vgaOnly || isPictureOf(text, await this.size())) ? text : undefined;
    } finally {
      letGo();
    }
  }

  async #dump<T>(
    ending: string,
    args: Readonly<Record<string, unknown>>,
    read: (file: string) => Promise<T>,
  ): Promise<T> {
    const { session, paths } = this.#options;
    const file = paths.scratch(ending);
    try {
      await session.execute('screendump', { filename: file, ...args });
      return await read(file);
    } catch (error) {
      if (!(error instanceof MachineError) || !/no console/i.test(error.message)) throw error;
      throw new MachineError('MISSING_CAPABILITY', 'This machine has no display device.', [
        advice`Start it with "gpu":"on".`,
        advice`Use its console: ${call('console_read')}.`,
      ]);
    } finally {
      await rm(file, { force: true });
    }
  }
}
