import type { MachineLine, PageCommand, PageEvent } from '../channel.ts';
import { Calls } from './calls.ts';
import { Keys } from './keys.ts';
import { PicturePainter } from './picture.ts';

const canvas = element('screen', HTMLCanvasElement);
const nav = element('machines', HTMLElement);
const state = element('state', HTMLElement);
const painter = new PicturePainter(canvas);
const calls = new Calls(element('calls', HTMLElement));
const keys = new Keys();

let socket: WebSocket;
let watched: string | undefined;
let machines: readonly MachineLine[] = [];
let retryMs = 500;

connect();

function connect(): void {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  socket = new WebSocket(`${scheme}://${location.host}/view?token=${encodeURIComponent(token)}`);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    retryMs = 500;
    if (watched !== undefined) send({ type: 'watch', machine: watched });
  };
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) painter.paint(new Uint8Array(data));
    else show(JSON.parse(data));
  };
  socket.onclose = () => {
    state.textContent = 'The server is gone; trying again …';
    setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, 10_000);
  };
}

function send(command: PageCommand): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
}

function show(event: PageEvent): void {
  if (event.type === 'calls') calls.add(event.calls);
  else if (event.type === 'trouble') state.textContent = event.text;
  else showMachines(event.machines);
}

function showMachines(list: readonly MachineLine[]): void {
  machines = list;
  if (!list.some(({ handle }) => handle === watched)) {
    const first = list.find(({ hasScreen }) => hasScreen) ?? list[0];
    if (first) watch(first.handle);
  }
  nav.replaceChildren(
    ...list.map(({ handle }) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = handle;
      button.setAttribute('aria-pressed', String(handle === watched));
      button.onclick = () => watch(handle);
      return button;
    }),
  );
  showState();
}

function watch(handle: string): void {
  watched = handle;
  send({ type: 'watch', machine: handle });
  for (const button of nav.children) button.setAttribute('aria-pressed', String(button.textContent === handle));
  showState();
}

function showState(): void {
  state.textContent = machines.find(({ handle }) => handle === watched)?.line ?? 'No machine is running.';
}

function press(event: KeyboardEvent, down: boolean): void {
  if (event.metaKey || !keys.change(event, down)) return;
  event.preventDefault();
  sendKeys();
}

function sendKeys(): void {
  send({ type: 'keys', keys: keys.keys });
  if (keys.joystick) send({ type: 'joystick', port: 2, directions: keys.directions });
}

canvas.addEventListener('keydown', (event) => press(event, true));
canvas.addEventListener('keyup', (event) => press(event, false));
canvas.addEventListener('blur', () => {
  keys.releaseAll();
  sendKeys();
});
canvas.addEventListener('click', () => canvas.focus());
for (const action of ['run', 'pause', 'reset'] as const) {
  element(action, HTMLButtonElement).onclick = () => send({ type: 'control', action });
}
const joystick = element('joystick', HTMLInputElement);
joystick.onchange = () => {
  keys.joystick = joystick.checked;
  keys.releaseAll();
  send({ type: 'joystick', port: 2, directions: [] });
};

function element<E extends HTMLElement>(id: string, type: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}
