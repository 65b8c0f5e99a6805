import { createConnection, type Socket } from 'node:net';
import type { WatchedTerminal } from '../../api/watch.ts';
import { lowerHex } from '../../formats/hex.ts';
import type { ConsolePort, ScrolledLines, StyledScreen, StyledText, TerminalColour } from '../../machine/console.ts';
import { textOf } from './text-of.ts';

const frameMs = 40;
/** A screen that could not be read is asked for again after so long: nothing else may ever be printed. */
const againMs = 1000;
/** The longest paste fits, in whatever script. */
const mostWaitingBytes = 512 * 1024;
const breakMs = 300;

export interface ConsoleViewer {
  /** False while the viewer does not keep up. */
  isReady(): boolean;
  show(terminal: WatchedTerminal): void;
  trouble(text: string): void;
}

/**
 * A console as a person at the page has it: its screen as it changes, and typing through the same socket as everybody
 * else who is no agent, so that the same rules hold for the bytes.
 */
export class ConsoleView {
  readonly #port: ConsolePort;
  readonly #viewer: ConsoleViewer;
  readonly #unlisten: () => void;
  readonly #timer: NodeJS.Timeout;
  #hasChanged = true;
  #isReading = false;
  /** Of the next line that has left the screen and was not shown yet. */
  #scrolledFrom = 0;
  #input: Socket | undefined;
  #isClosed = false;
  #again: NodeJS.Timeout | undefined;
  #lastTrouble = '';

  constructor(port: ConsolePort, viewer: ConsoleViewer) {
    this.#port = port;
    this.#viewer = viewer;
    this.#unlisten = port.onActivity(() => {
      this.#hasChanged = true;
    });
    this.#timer = setInterval(() => void this.#look(), frameMs);
  }

  type(text: string): void {
    const input = this.#connected();
    if (input.writableLength > mostWaitingBytes) {
      this.#viewer.trouble('The other side does not take what is typed; this was not sent.');
    } else input.write(text);
  }

  async sendBreak(): Promise<void> {
    await this.#port.sendBreak(breakMs);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#again);
    this.#unlisten();
    this.#input?.end();
  }

  async #look(): Promise<void> {
    if (!this.#hasChanged || this.#isReading || !this.#viewer.isReady()) return;
    this.#isReading = true;
    this.#hasChanged = false;
    try {
      const screen = await this.#port.screen.readStyled(this.#scrolledFrom);
      const { start, first, end } = screen.scrolled;
      // Lines go by faster than anybody reads: they are shown once that is over.
      const lines = this.#scrolledFrom > 0 && first > this.#scrolledFrom ? [] : screen.scrolled.lines;
      this.#scrolledFrom = first + lines.length;
      if (this.#scrolledFrom < end) this.#hasChanged = true;
      this.#lastTrouble = '';
      if (!this.#isClosed) this.#viewer.show(terminalOf(screen, { start, first, lines }));
    } catch (error) {
      if (!this.#isClosed) this.#failed(textOf(error));
    } finally {
      this.#isReading = false;
    }
  }

  #failed(why: string): void {
    if (why !== this.#lastTrouble) this.#viewer.trouble(why);
    this.#lastTrouble = why;
    this.#again = setTimeout(() => {
      this.#hasChanged = true;
    }, againMs);
  }

  #connected(): Socket {
    if (this.#input) return this.#input;
    const input = createConnection(this.#port.humans.socketIn);
    input.on('error', (error) => this.#viewer.trouble(`Nothing can be typed here: ${error.message}`));
    input.on('close', () => {
      if (this.#input === input) this.#input = undefined;
    });
    input.resume();
    this.#input = input;
    return input;
  }
}

function terminalOf(screen: StyledScreen, scrolled: Pick<ScrolledLines, 'start' | 'first' | 'lines'>): WatchedTerminal {
  const { columns, rows, cursor, applicationCursorKeys, bracketedPaste, styled } = screen;
  const pieces = (line: readonly StyledText[]) => line.map(pieceOf);
  return {
    columns,
    rows,
    cursor,
    applicationCursorKeys,
    bracketedPaste,
    lines: styled.map(pieces),
    scrolled: { ...scrolled, lines: scrolled.lines.map(pieces) },
  };
}

function pieceOf({ text, cells, attributes, ...colours }: StyledText) {
  const [foreground, background] = [colourOf(colours.foreground), colourOf(colours.background)];
  return {
    text,
    cells,
    attributes,
    ...(foreground !== undefined && { foreground }),
    ...(background !== undefined && { background }),
  };
}

function colourOf(colour: TerminalColour): number | string | undefined {
  if (colour === undefined) return undefined;
  return colour.type === 'palette' ? colour.number : `#${lowerHex(colour.rgb, 6)}`;
}
