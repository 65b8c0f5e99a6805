import { longestPaste, type MachineInput, type PageCommand, type PageEvent } from '../channel.ts';
import { Calls } from './calls.ts';
import { Connection } from './connection.ts';
import { Console } from './console.ts';
import { Controls } from './controls.ts';
import { element } from './element.ts';
import { hintFor } from './hint.ts';
import { Machines } from './machines.ts';
import { Notices } from './notices.ts';
import { openPasteDialog } from './paste-dialog.ts';
import { PicturePainter } from './picture.ts';
import { SoundButton } from './sound-button.ts';

const noInput: MachineInput = { joysticks: [] };
/** All of it waits at the server for the other side to take it. */
const longestConsolePaste = 100_000;
const actions = ['run', 'pause', 'reset'] as const;

const canvas = element('screen', HTMLCanvasElement);
const terminal = element('terminal', HTMLElement);
const painter = new PicturePainter(canvas);
const notices = new Notices();
const calls = new Calls(element('calls', HTMLElement));
const machines = new Machines(() => watch());
const connection = new Connection({
  opened: greet,
  event: show,
  picture: (picture) => painter.paint(picture),
  sound: (piece) => sound.play(piece),
  lost: (why) => {
    notices.state(why, why);
    notices.typingIsOver();
    showButtons();
  },
});
const controls = new Controls(canvas, act, showHint);
const console = new Console(terminal, act);
const sound = new SoundButton((isListening) => connection.send({ type: 'listen', isListening }));

let input = noInput;
let mayAct = false;

/** Does something to the machine, for those who may. */
function act(command: PageCommand): void {
  if (mayAct) connection.send(command);
}

/** To a server that knows nothing of us, or not any more. */
function greet(): void {
  calls.clear();
  look();
  connection.send({ type: 'listen', isListening: sound.isOn });
  watch();
}

function look(): void {
  connection.send({ type: 'look', isLooking: !document.hidden });
}

function show(event: PageEvent): void {
  switch (event.type) {
    case 'you':
      mayAct = event.role !== 'observe';
      showRole(event.client);
      break;
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
    case 'typing':
      if (event.isOver) notices.typingIsOver();
      else notices.typing(event.typed, event.total);
      break;
    case 'trouble':
      notices.trouble(event.text);
  }
}

/** Looks at what was chosen: one machine's screen, or one of its consoles. */
function watch(): void {
  controls.releaseAll();
  use(noInput);
  const { watched, console: name } = machines;
  canvas.hidden = name !== undefined;
  element('console', HTMLElement).hidden = name === undefined;
  element('keys', HTMLElement).replaceChildren();
  if (name === undefined) console.close();
  else console.open();
  painter.clear();
  if (watched)
    connection.send({ type: 'watch', machine: watched.handle, ...(name !== undefined && { console: name }) });
  showState();
}

/** Who only watches has nothing to press. */
function showRole(client: string): void {
  const watching = element('watching', HTMLElement);
  watching.textContent = mayAct ? '' : `Watching only: ${client} has the role “observe”.`;
  watching.hidden = mayAct;
  element('keys', HTMLElement).hidden = !mayAct;
  element('options', HTMLElement).hidden = !mayAct;
  showButtons();
  showHint();
}

function use(given: MachineInput): void {
  input = given;
  controls.show(machines.console === undefined && mayAct ? given : noInput);
  showHint();
}

function showState(): void {
  const { watched } = machines;
  if (watched) notices.state(watched.line, `${watched.handle} ${watched.state}`);
  else if (connection.isOpen) notices.state('No machine is running.', 'No machine is running.');
  showButtons();
  showHint();
}

function showButtons(): void {
  const { watched } = machines;
  for (const action of actions) {
    element(action, HTMLButtonElement).disabled = !watched?.hasControl || !connection.isOpen || !mayAct;
  }
  element('paste', HTMLButtonElement).disabled = !watched || !connection.isOpen || !mayAct;
  element('stage', HTMLElement).classList.toggle('stale', !connection.isOpen);
  sound.show(watched?.hasSound === true);
}

function showHint(): void {
  const machine = machines.watched;
  if (!mayAct && machine) {
    element('hint', HTMLElement).replaceChildren();
    return;
  }
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

function paste(given: string): void {
  const text = given.replaceAll('\r\n', '\n');
  const most = machines.console === undefined ? longestPaste : longestConsolePaste;
  if (text.length > most) {
    const [length, limit] = [text.length, most].map((count) => count.toLocaleString());
    notices.trouble(`${length} characters are too many, ${limit} is the most; nothing was typed.`);
  } else if (machines.console !== undefined) console.paste(text);
  else act({ type: 'paste', text });
}

for (const action of actions) {
  element(action, HTMLButtonElement).onclick = () => act({ type: 'control', action });
}
element('paste', HTMLButtonElement).onclick = () => openPasteDialog(paste);
element('stop-typing', HTMLButtonElement).onclick = () => act({ type: 'stopTyping' });
element('full', HTMLButtonElement).onclick = async () => {
  await element('stage', HTMLElement).requestFullscreen();
  (canvas.hidden ? terminal : canvas).focus();
  // Where the browser has it: keys that it would keep reach the page while it is full screen.
  const keyboard: unknown = Reflect.get(navigator, 'keyboard');
  if (keyboard instanceof Object && 'lock' in keyboard && keyboard.lock instanceof Function) await keyboard.lock();
};
element('stage', HTMLElement).addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Enter' || !event.ctrlKey || !event.shiftKey) return;
    // Screen and terminal take every other key, Tab included.
    event.preventDefault();
    element('state', HTMLElement).focus();
  },
  { capture: true },
);
document.addEventListener('visibilitychange', look);
document.addEventListener('paste', (event) => {
  if (document.activeElement !== canvas && document.activeElement !== terminal) return;
  event.preventDefault();
  paste(event.clipboardData?.getData('text/plain') ?? '');
});
