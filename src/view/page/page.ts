import type { MachineInput, MachineLine, PageEvent } from '../channel.ts';
import { Calls } from './calls.ts';
import { Connection } from './connection.ts';
import { Console } from './console.ts';
import { Controls } from './controls.ts';
import { element } from './element.ts';
import { hintFor } from './hint.ts';
import { Machines } from './machines.ts';
import { PicturePainter } from './picture.ts';

const noInput: MachineInput = { joysticks: [] };
const troubleMs = 6000;

const canvas = element('screen', HTMLCanvasElement);
const terminal = element('terminal', HTMLElement);
const state = element('state', HTMLElement);
const trouble = element('trouble', HTMLElement);
const painter = new PicturePainter(canvas);
const calls = new Calls(element('calls', HTMLElement));
const machines = new Machines(() => watch());
const connection = new Connection({
  opened: () => watch(),
  event: show,
  picture: (bytes) => painter.paint(bytes),
  lost: () => {
    state.textContent = 'The server is gone; trying again …';
  },
});
const controls = new Controls(canvas, (command) => connection.send(command), showHint);
const console = new Console(terminal, (command) => connection.send(command));

let input = noInput;
let troubleTimer: ReturnType<typeof setTimeout> | undefined;

function show(event: PageEvent): void {
  switch (event.type) {
    case 'machines':
      machines.show(event.machines);
      showState();
      break;
    case 'calls':
      calls.add(event.calls);
      break;
    case 'input':
      if (event.machine === machines.watched?.handle) use(event.input);
      break;
    case 'terminal':
      if (event.machine === machines.watched?.handle && event.console === machines.console) {
        console.paint(event.terminal);
      }
      break;
    case 'trouble':
      showTrouble(event.text);
  }
}

/** Looks at what was chosen: one machine's screen, or one of its consoles. */
function watch(): void {
  controls.releaseAll();
  use(noInput);
  const { watched, console: name } = machines;
  canvas.hidden = name !== undefined;
  terminal.hidden = name === undefined;
  element('keys', HTMLElement).replaceChildren();
  if (name !== undefined) console.open();
  painter.clear();
  if (watched)
    connection.send({ type: 'watch', machine: watched.handle, ...(name !== undefined && { console: name }) });
  showState();
}

function use(given: MachineInput): void {
  input = given;
  controls.show(machines.console === undefined ? given : noInput);
  showHint();
}

function showState(): void {
  state.textContent = machines.watched?.line ?? 'No machine is running.';
  for (const action of ['run', 'pause', 'reset'] as const) {
    element(action, HTMLButtonElement).disabled = !machines.watched?.hasControl;
  }
  showHint();
}

function showHint(): void {
  const machine: MachineLine | undefined = machines.watched;
  const sentences = machine
    ? hintFor({
        machine,
        input,
        isTerminal: machines.console !== undefined,
        isByPlace: controls.isByPlace,
        joystickPort: controls.joystickPort,
      })
    : ['Start a machine with the tool machine_start; it appears here.'];
  const hint = element('hint', HTMLElement);
  if ([...hint.children].map(({ textContent }) => textContent).join('\n') === sentences.join('\n')) return;
  hint.replaceChildren(
    ...sentences.map((sentence) => {
      const item = document.createElement('li');
      item.textContent = sentence;
      return item;
    }),
  );
}

function showTrouble(text: string): void {
  trouble.textContent = text;
  trouble.hidden = false;
  clearTimeout(troubleTimer);
  troubleTimer = setTimeout(() => {
    trouble.hidden = true;
  }, troubleMs);
}

for (const action of ['run', 'pause', 'reset'] as const) {
  element(action, HTMLButtonElement).onclick = () => connection.send({ type: 'control', action });
}
element('full', HTMLButtonElement).onclick = async () => {
  await element('stage', HTMLElement).requestFullscreen();
  (canvas.hidden ? terminal : canvas).focus();
  // Where the browser has it: keys that it would keep reach the page while it is full screen.
  const keyboard: unknown = Reflect.get(navigator, 'keyboard');
  if (keyboard instanceof Object && 'lock' in keyboard && keyboard.lock instanceof Function) await keyboard.lock();
};
