/** A line being typed with the editing keys of DOS, over the line typed before. Plain, so that a snapshot is a copy. */
export interface EditState {
  readonly limit: number;
  readonly startColumn: number;
  text: number[];
  template: number[];
  /** Where in the old line copying goes on. */
  from: number;
  insert: boolean;
  /** F2 and F4 wait for the character to go to; a null byte waits for the scan code. */
  pending: 'none' | 'scan' | 'copy' | 'skip';
}

export function startEdit(limit: number, template: number[], startColumn: number): EditState {
  return { limit, startColumn, text: [], template, from: 0, insert: false, pending: 'none' };
}

const bell = 7;
const backspace = 8;
const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const controlZ = 26;
const escapeCode = 27;

/** Takes one byte of the keyboard; true when the line is complete. `echo` prints as it is. */
export function editByte(state: EditState, byte: number, echo: (byte: number) => void): boolean {
  if (state.pending !== 'none') {
    const pending = state.pending;
    state.pending = 'none';
    if (pending === 'scan') editKey(state, byte, echo);
    else goTo(state, byte, pending === 'copy', echo);
    return false;
  }
  if (byte === carriageReturn) {
    echo(carriageReturn);
    return true;
  }
  if (byte === 0) state.pending = 'scan';
  else if (byte === backspace || byte === 0x7f) erase(state, echo);
  else if (byte === escapeCode) restart(state, 0x5c, echo);
  else if (byte !== lineFeed) append(state, byte, echo, !state.insert);
  return false;
}

function editKey(state: EditState, scan: number, echo: (byte: number) => void): void {
  switch (scan) {
    case 0x4b:
      erase(state, echo);
      break;
    case 0x3b:
    case 0x4d:
      copy(state, state.from + 1, echo);
      break;
    case 0x3c:
      state.pending = 'copy';
      break;
    case 0x3d:
      copy(state, state.template.length, echo);
      break;
    case 0x3e:
      state.pending = 'skip';
      break;
    case 0x3f:
      state.template = state.text;
      restart(state, 0x40, echo);
      break;
    case 0x40:
      append(state, controlZ, echo, true);
      break;
    case 0x41:
      append(state, 0, echo, true);
      break;
    case 0x52:
      state.insert = !state.insert;
      break;
    case 0x53:
      if (state.from < state.template.length) state.from++;
      break;
  }
}

function goTo(state: EditState, byte: number, copying: boolean, echo: (byte: number) => void): void {
  const place = state.template.indexOf(byte, state.from + 1);
  if (place < 0) return;
  if (copying) copy(state, place, echo);
  else state.from = place;
}

function copy(state: EditState, to: number, echo: (byte: number) => void): void {
  while (state.from < Math.min(to, state.template.length) && state.text.length < state.limit) {
    append(state, state.template[state.from] ?? 0, echo, true);
  }
}

function append(state: EditState, byte: number, echo: (byte: number) => void, advance: boolean): void {
  if (state.text.length >= state.limit) {
    echo(bell);
    return;
  }
  state.text.push(byte);
  if (advance) state.from++;
  echoVisible(byte, echo);
}

function erase(state: EditState, echo: (byte: number) => void): void {
  if (state.text.length === 0) return;
  const before = width(state);
  state.text.pop();
  if (state.from > 0) state.from--;
  for (let i = width(state); i < before; i++) for (const byte of [backspace, 0x20, backspace]) echo(byte);
}

function restart(state: EditState, mark: number, echo: (byte: number) => void): void {
  state.text = [];
  state.from = 0;
  state.insert = false;
  for (const byte of [mark, carriageReturn, lineFeed]) echo(byte);
  for (let i = 0; i < state.startColumn; i++) echo(0x20);
}

/** Control characters show as ^X. */
export function echoVisible(byte: number, echo: (byte: number) => void): void {
  if (byte < 0x20 && byte !== tab) {
    echo(0x5e);
    echo(byte + 0x40);
  } else echo(byte);
}

function width(state: EditState): number {
  let column = state.startColumn;
  for (const byte of state.text) {
    if (byte === tab) column = (column | 7) + 1;
    else column += byte < 0x20 ? 2 : 1;
  }
  return column;
}
