import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, type CDPSession, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { HttpProgram } from '../support/http-program.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Machines and browser share a computer with all other tests. */
const longestMs = 90_000;
const patience = { timeout: longestMs };

/** Waits for what will be so, sooner or later. */
export function eventually<T>(look: () => Promise<T> | T) {
  return expect.poll(look, patience);
}

export function launchBrowser(...args: readonly string[]): Promise<Browser> {
  // What is scrolled is there at once, and not in steps that go on later.
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-sync', '--disable-smooth-scrolling'];
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...quiet, ...args],
    timeout: longestMs,
  });
}

/** A page of a browser on a computer that has much else to do. */
export async function patient(page: Page): Promise<Page> {
  page.setDefaultTimeout(longestMs);
  await page.addInitScript(noteTroubles);
  return page;
}

/** Waits until the page has said this of what went wrong. */
export async function told(page: Page, pattern: RegExp): Promise<void> {
  const heard = `(() => {
    const at = troubles.findIndex((text) => ${pattern}.test(text));
    if (at >= 0) return troubles.splice(0, at + 1).at(-1);
    return [...troubles, document.getElementById('trouble')?.textContent].join('\\n');
  })()`;
  await eventually(async () => String(await page.evaluate(heard))).toMatch(pattern);
}

/** Its keys are known from now on: before that what is typed goes nowhere. */
export function canType(page: Page): Promise<void> {
  return page.locator('#keys button').first().waitFor({ state: 'attached' });
}

const devTools = new WeakMap<Page, Promise<CDPSession>>();

/**
 * Keys that are struck, each of them down and up in one message to the browser: where that comes late it comes whole, and
 * no machine takes a key for one that is held.
 */
export async function tap(page: Page, keys: readonly string[], { ctrl = false } = {}): Promise<void> {
  const session = devTools.get(page) ?? page.context().newCDPSession(page);
  devTools.set(page, session);
  const tools = await session;
  const modifiers = ctrl ? 2 : 0;
  const strokes = keys.map((key) => ({ key, code: codeOf(key), text: !ctrl && [...key].length === 1 ? key : '' }));
  const control = { key: 'Control', code: 'ControlLeft' };
  const events = [
    ...(ctrl ? [{ type: 'keyDown' as const, modifiers, ...control }] : []),
    ...strokes.flatMap(({ text, ...stroke }) => [
      { type: 'keyDown' as const, modifiers, ...stroke, ...(text && { text }) },
      { type: 'keyUp' as const, modifiers, ...stroke },
    ]),
    ...(ctrl ? [{ type: 'keyUp' as const, ...control }] : []),
  ];
  await Promise.all(events.map((event) => tools.send('Input.dispatchKeyEvent', event)));
}

function codeOf(key: string): string {
  if (key === ' ') return 'Space';
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  return /^\d$/.test(key) ? `Digit${key}` : key.length > 1 ? key : '';
}

/** Notes what the page says went wrong, which it shows for some seconds only. */
const noteTroubles = `(() => {
  const troubles = [];
  globalThis.troubles = troubles;
  let last = '';
  new MutationObserver(() => {
    const text = document.getElementById('trouble')?.textContent ?? '';
    if (text !== last && text !== '') troubles.push(text);
    last = text;
  }).observe(document, { childList: true, characterData: true, subtree: true });
})()`;

/** A server as people run it, a browser with its page, and an agent beside it. */
export class Desk implements AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly program: HttpProgram;
  readonly page: Page;
  /** What went wrong in the browser. */
  readonly problems: string[] = [];
  readonly #browser: Browser;
  #devTools: CDPSession | undefined;

  static async open(...args: readonly string[]): Promise<Desk> {
    const sandbox = await Sandbox.open();
    const program = await HttpProgram.start(sandbox, ...args);
    const browser = await launchBrowser();
    const page = await patient(await browser.newPage({ viewport: { width: 1300, height: 860 } }));
    return new Desk(sandbox, program, browser, page);
  }

  private constructor(sandbox: Sandbox, program: HttpProgram, browser: Browser, page: Page) {
    this.sandbox = sandbox;
    this.program = program;
    this.page = page;
    this.#browser = browser;
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  /** Somebody else in a browser of their own, with nothing opened yet. */
  async another(options: BrowserContextOptions = {}): Promise<Page> {
    return patient(await (await this.#browser.newContext(options)).newPage());
  }

  async visit(): Promise<void> {
    await this.page.goto(new URL(`/?token=${this.program.token}`, this.program.url).href);
  }

  /** What an agent gets. */
  async call(name: string, args: Record<string, unknown>): Promise<string> {
    const response = await this.program.fetch({
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name,
          arguments: args,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'page test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    const { result } = (await response.json()) as { result: { content: { text: string }[] } };
    return result.content[0]?.text ?? '';
  }

  async file(name: string, bytes: Uint8Array): Promise<string> {
    await writeFile(join(this.sandbox.dir, name), bytes);
    return name;
  }

  /** Chooses a machine, and clicks its screen or its terminal. */
  async take(handle: string, what: '#screen' | '#terminal' = '#screen'): Promise<void> {
    await this.page.locator('#machines button', { hasText: handle }).click();
    await canType(this.page);
    await this.page.locator(what).click();
  }

  /** As a person does it: copied elsewhere, then the browser's own chord for plain text. */
  async paste(text: string): Promise<void> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.page.keyboard.press('Control+Shift+V');
  }

  /** Lines of what a screen reader sees that could be used, if they had a name. */
  async nameless(): Promise<string[]> {
    const tree = await this.page.locator('body').ariaSnapshot();
    return tree.split('\n').filter((line) => /- (button|textbox|combobox|checkbox|slider|link)(?! ["/])/.test(line));
  }

  text(selector: string): Promise<string | null> {
    return this.page.locator(selector).textContent();
  }

  /** Waits until the page has said this of what went wrong. */
  told(pattern: RegExp): Promise<void> {
    return told(this.page, pattern);
  }

  /** Waits until an agent reads this. */
  async reads(pattern: RegExp, tool: string, args: Record<string, unknown>): Promise<void> {
    await eventually(() => this.call(tool, args)).toMatch(pattern);
  }

  /**
   * A key of a keyboard with another layout: what is printed on it, and where it is. Down and up at once, as in `tap`: held
   * for as long as a busy computer likes, it would repeat on some machines.
   */
  async strike(key: string, code: string, { shift = false, altGraph = false } = {}): Promise<void> {
    this.#devTools ??= await this.page.context().newCDPSession(this.page);
    const modifiers = shift ? 8 : 0;
    const held = shift
      ? { key: 'Shift', code: 'ShiftLeft' }
      : altGraph
        ? { key: 'AltGraph', code: 'AltRight' }
        : undefined;
    const send = (type: 'keyDown' | 'keyUp', event: { key: string; code: string }, text?: string) =>
      this.#devTools?.send('Input.dispatchKeyEvent', { type, modifiers, ...event, ...(text && { text }) });
    await Promise.all([
      ...(held ? [send('keyDown', held)] : []),
      send('keyDown', { key, code }, key.length === 1 ? key : undefined),
      send('keyUp', { key, code }),
      ...(held ? [send('keyUp', held)] : []),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.program[Symbol.asyncDispose]();
    await this.sandbox[Symbol.asyncDispose]();
  }
}
