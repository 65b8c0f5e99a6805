import { createConnection, type Socket } from 'node:net';
import type { ConsolePort, StyledScreen, StyledText, TerminalColour } from '../machine/console.ts';
import type { PageTerminal } from './channel.ts';

const frameMs = 40;
const mostWaitingBytes = 256 * 1024;
const breakMs = 300;

export interface ConsoleViewer {
  /** False while the viewer does not keep up. */
  isReady(): boolean;
  show(terminal: PageTerminal): void;
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
  #input: Socket | undefined;

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
    clearInterval(this.#timer);
    this.#unlisten();
    this.#input?.end();
  }

  async #look(): Promise<void> {
    if (!this.#hasChanged || this.#isReading || !this.#viewer.isReady()) return;
    this.#isReading = true;
    this.#hasChanged = false;
    try {
      this.#viewer.show(terminalOf(await this.#port.screen.readStyled()));
    } catch (error) {
      this.#viewer.trouble(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isReading = false;
    }
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

function terminalOf(screen: StyledScreen): PageTerminal {
  const { columns, rows, cursor, applicationCursorKeys, bracketedPaste, styled } = screen;
  const lines = styled.map((line) => line.map(pieceOf));
  return { columns, rows, cursor, applicationCursorKeys, bracketedPaste, lines };
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
  return colour.type === 'palette' ? colour.number : `#${colour.rgb.toString(16).padStart(6, '0')}`;
}
