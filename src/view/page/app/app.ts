import { HostLink } from './host-link.ts';
import { type Typed, TypingQueue, typedBy } from './typing.ts';

/**
 * The screen and the keyboard of one machine, shown by a chat program beside a tool's answer (the extension MCP Apps).
 * Everything goes through that program: pictures are resources, keys are tool calls.
 */

const protocolVersion = '2026-01-26';
/** Between two pictures while they change, and while they do not. */
const quickMs = 150;
const slowMs = 1000;
/** Where the program gives no resources, each picture is a call in its list. */
const callMs = 3000;

const at = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const [screen, state, said, soft] = [
  at<HTMLImageElement>('screen'),
  at('state'),
  at('said'),
  at<HTMLInputElement>('soft'),
];
let machine: string | undefined;
let hasResources = false;
let modes: readonly unknown[] = [];
let isOver = false;
let shown = '';
let timer: ReturnType<typeof setTimeout> | undefined;

const link = new HostLink(window.parent, {
  notified(method, params) {
    if (method === 'ui/notifications/tool-input') takeInput(params);
    else if (method === 'ui/notifications/tool-result') takeResult(params);
    else if (method === 'ui/notifications/tool-cancelled') say('The call was cancelled.');
    else if (method === 'ui/notifications/host-context-changed') dress(params);
  },
  ending() {
    isOver = true;
    clearTimeout(timer);
  },
});

async function begin(): Promise<void> {
  const result = await link.request('ui/initialize', {
    protocolVersion,
    appInfo: { name: 'frontpanel screen', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  hasResources = fieldOf(fieldOf(result, 'hostCapabilities'), 'serverResources') !== undefined;
  dress(fieldOf(result, 'hostContext'));
  link.notify('ui/notifications/initialized');
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    link.notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
  }).observe(document.documentElement);
}

/** Colours, type and room as the program around us has them. */
function dress(context: unknown): void {
  const theme = fieldOf(context, 'theme');
  const root = document.documentElement;
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(Object(fieldOf(fieldOf(context, 'styles'), 'variables')))) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
  }
  const room = fieldOf(context, 'containerDimensions');
  const height = fieldOf(room, 'height') ?? fieldOf(room, 'maxHeight');
  if (typeof height === 'number') root.style.setProperty('--room', `${height}px`);
  const offered = fieldOf(context, 'availableDisplayModes');
  if (Array.isArray(offered)) modes = offered;
  at('full').hidden = !modes.includes('fullscreen');
}

function takeInput(params: Readonly<Record<string, unknown>>): void {
  const wanted = fieldOf(params.arguments, 'machine');
  if (typeof wanted === 'string') machine = wanted;
}

/** An answer begins with the line of state, which begins with the machine. */
function takeResult(result: unknown): void {
  const [text, image] = [partOf(result, 'text'), partOf(result, 'image')];
  if (fieldOf(result, 'isError') === true) say(text ?? 'The call failed.');
  else if (text !== undefined) {
    const [line = ''] = text.split('\n', 1);
    machine = /^([\w.-]+) [A-Z]/.exec(line)?.[1] ?? machine;
    state.textContent = line;
  }
  if (image !== undefined) show(image);
  lookSoon(0);
}

function show(base64: string): void {
  if (base64 !== shown) screen.src = `data:image/png;base64,${base64}`;
  shown = base64;
}

function lookSoon(ms: number): void {
  clearTimeout(timer);
  if (!isOver) timer = setTimeout(() => void look(), ms);
}

async function look(): Promise<void> {
  if (machine === undefined || document.hidden) return lookSoon(slowMs);
  const before = shown;
  try {
    if (hasResources) await lookAtResources(machine);
    else takePicture(await link.request('tools/call', { name: 'screen_read', arguments: { machine, mode: 'image' } }));
    lookSoon(hasResources ? (shown === before ? slowMs : quickMs) : callMs);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    lookSoon(callMs);
  }
}

async function lookAtResources(of: string): Promise<void> {
  const [picture, status] = await Promise.all(
    ['screen', 'status'].map((what) => link.request('resources/read', { uri: `machine://${of}/${what}` })),
  );
  const blob = fieldOf(contentOf(picture), 'blob');
  const line = fieldOf(contentOf(status), 'text');
  if (typeof line === 'string') state.textContent = line;
  if (typeof blob === 'string') show(blob);
}

function takePicture(result: unknown): void {
  const image = partOf(result, 'image');
  const [line] = (partOf(result, 'text') ?? '').split('\n', 1);
  if (line) state.textContent = line;
  if (image !== undefined) show(image);
}

/** Calls a tool of the machine; what goes wrong is said. */
async function call(name: string, args: Readonly<Record<string, unknown>>): Promise<void> {
  if (machine === undefined) return say('No machine is shown yet.');
  try {
    const result = await link.request('tools/call', { name, arguments: { machine, ...args } });
    say(fieldOf(result, 'isError') === true ? (partOf(result, 'text') ?? `${name} failed.`) : '');
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  lookSoon(0);
}

function say(text: string): void {
  said.textContent = text;
}

const typing = new TypingQueue((typed: Typed) => call('input_send', { ...typed }));

// All keys are for the machine, also those that a screen reader would take.
screen.tabIndex = 0;
screen.role = 'application';
screen.addEventListener('keydown', (event) => {
  const typed = event.metaKey ? undefined : typedBy(event);
  if (!typed) return;
  event.preventDefault();
  typing.add(typed);
});
screen.addEventListener('click', () => screen.focus());
at('keyboard').addEventListener('click', () => soft.focus());
// Keyboards of phones put characters into the field, with no key that could be known.
soft.addEventListener('input', () => {
  if (soft.value !== '') typing.add({ text: soft.value });
  soft.value = '';
});
soft.addEventListener('keydown', (event) => {
  const typed = event.key.length === 1 && !event.ctrlKey && !event.altKey ? undefined : typedBy(event);
  if (!typed) return;
  event.preventDefault();
  typing.add(typed);
});
at('run').addEventListener('click', () => void call('run', { detach: 'real' }));
at('pause').addEventListener('click', () => void call('pause', {}));
at('full').addEventListener('click', () => {
  if (modes.includes('fullscreen')) void link.request('ui/request-display-mode', { mode: 'fullscreen' });
});

function contentOf(result: unknown): unknown {
  const contents = fieldOf(result, 'contents');
  return Array.isArray(contents) ? contents[0] : undefined;
}

/** The first text of an answer, or the bytes of its first picture. */
function partOf(result: unknown, type: 'text' | 'image'): string | undefined {
  const content = fieldOf(result, 'content');
  const part = Array.isArray(content) ? content.find((each) => fieldOf(each, 'type') === type) : undefined;
  const value = fieldOf(part, type === 'text' ? 'text' : 'data');
  return typeof value === 'string' ? value : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

begin().catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
