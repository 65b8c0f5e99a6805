import { hex } from '../../../../formats/hex.ts';
import { byNumber, type FunctionTable, kindOf, type ServiceRow } from '../bios/service-row.ts';
import type { Guest } from '../guest.ts';
import type { MouseDriver } from './mouse-driver.ts';
import type { ButtonCount } from './mouse-state.ts';

const BUTTONS = 3;
const signed = (word: number) => (word << 16) >> 16;

function count(driver: MouseDriver, guest: Guest, counts: readonly ButtonCount[]): 'done' {
  const counted = counts[guest.bx] ?? { count: 0, x: 0, y: 0 };
  guest.ax = driver.state.buttons;
  guest.bx = counted.count;
  guest.cx = counted.x;
  guest.dx = counted.y;
  counted.count = 0;
  return 'done';
}

function setHandler(driver: MouseDriver, guest: Guest): void {
  const { state } = driver;
  state.handlerMask = guest.cx;
  state.handlerSegment = guest.es;
  state.handlerOffset = guest.dx;
  state.events = [];
}

const words = (guest: Guest, from: number, length: number) =>
  Array.from({ length }, (_, index) => guest.memory.read16((guest.es << 4) + guest.dx + from + index * 2));

const handlerDetails = (g: Guest) => `mask ${hex(g.cx, 4)}h at ${hex(g.es, 4)}:${hex(g.dx, 4)}`;
const done = (action: (driver: MouseDriver, guest: Guest) => void) => (driver: MouseDriver, guest: Guest) => {
  action(driver, guest);
  return 'done' as const;
};

/** Functions of INT 33h by AX. */
const functions: FunctionTable<MouseDriver> = [
  {
    number: 0x00,
    name: 'reset',
    result: (g) => `${g.bx} buttons`,
    run: done((driver, guest) => {
      driver.reset();
      guest.ax = 0xffff;
      guest.bx = BUTTONS;
    }),
  },
  { number: 0x01, name: 'show pointer', run: done((driver) => driver.show()) },
  { number: 0x02, name: 'hide pointer', run: done((driver) => driver.hide()) },
  {
    number: 0x03,
    name: 'position and buttons',
    poll: true,
    result: (g) => `(${g.cx}, ${g.dx}) buttons ${g.bx}`,
    run: done((driver, guest) => {
      guest.bx = driver.state.buttons;
      guest.cx = driver.column;
      guest.dx = driver.line;
    }),
  },
  {
    number: 0x04,
    name: 'set position',
    details: (g) => `(${g.cx}, ${g.dx})`,
    run: done((driver, guest) => driver.setPosition(signed(guest.cx), signed(guest.dx))),
  },
  {
    number: 0x05,
    name: 'button presses',
    poll: true,
    result: (g) => `${g.bx} at (${g.cx}, ${g.dx})`,
    details: (g) => `button ${g.bx}`,
    run: (driver, guest) => count(driver, guest, driver.state.presses),
  },
  {
    number: 0x06,
    name: 'button releases',
    poll: true,
    result: (g) => `${g.bx} at (${g.cx}, ${g.dx})`,
    details: (g) => `button ${g.bx}`,
    run: (driver, guest) => count(driver, guest, driver.state.releases),
  },
  {
    number: 0x07,
    name: 'horizontal range',
    details: (g) => `${signed(g.cx)} to ${signed(g.dx)}`,
    run: done((driver, guest) => driver.setRangeX(signed(guest.cx), signed(guest.dx))),
  },
  {
    number: 0x08,
    name: 'vertical range',
    details: (g) => `${signed(g.cx)} to ${signed(g.dx)}`,
    run: done((driver, guest) => driver.setRangeY(signed(guest.cx), signed(guest.dx))),
  },
  {
    number: 0x09,
    name: 'graphics pointer',
    details: (g) => `hot spot (${signed(g.bx)}, ${signed(g.cx)}) masks at ${hex(g.es, 4)}:${hex(g.dx, 4)}`,
    run: done((driver, guest) => {
      driver.state.hotX = signed(guest.bx);
      driver.state.hotY = signed(guest.cx);
      driver.state.screenMask = words(guest, 0, 16);
      driver.state.cursorMask = words(guest, 32, 16);
      driver.redraw();
    }),
  },
  {
    number: 0x0a,
    name: 'text pointer',
    details: (g) => `${g.bx === 0 ? 'software' : 'hardware'} and ${hex(g.cx, 4)}h xor ${hex(g.dx, 4)}h`,
    run: done((driver, guest) => {
      if (guest.bx !== 0) return;
      driver.state.textAnd = guest.cx;
      driver.state.textXor = guest.dx;
      driver.redraw();
    }),
  },
  {
    number: 0x0b,
    name: 'mickeys',
    run: done(({ state }, guest) => {
      guest.cx = state.mickeysX & 0xffff;
      guest.dx = state.mickeysY & 0xffff;
      state.mickeysX = 0;
      state.mickeysY = 0;
    }),
  },
  { number: 0x0c, name: 'set handler', details: handlerDetails, run: done(setHandler) },
  {
    number: 0x0f,
    name: 'mickeys for eight pixels',
    details: (g) => `${g.cx} across ${g.dx} down`,
    run: done(({ state }, guest) => {
      state.ratioX = Math.max(1, guest.cx & 0x7fff);
      state.ratioY = Math.max(1, guest.dx & 0x7fff);
    }),
  },
  {
    number: 0x10,
    name: 'hide in area',
    details: (g) => `(${g.cx}, ${g.dx}) to (${g.si}, ${g.di})`,
    run: done((driver, guest) => {
      const inside =
        driver.column >= guest.cx && driver.column <= guest.si && driver.line >= guest.dx && driver.line <= guest.di;
      if (inside) driver.hide();
    }),
  },
  { number: 0x13, name: 'double speed threshold', run: done(() => {}) },
  {
    number: 0x14,
    name: 'exchange handlers',
    details: handlerDetails,
    run: done((driver, guest) => {
      const { handlerMask, handlerSegment, handlerOffset } = driver.state;
      setHandler(driver, guest);
      guest.cx = handlerMask;
      guest.es = handlerSegment;
      guest.dx = handlerOffset;
    }),
  },
  {
    number: 0x1a,
    name: 'set sensitivity',
    run: done(({ state }, guest) => {
      state.sensitivity = [guest.bx, guest.cx, guest.dx];
    }),
  },
  {
    number: 0x1b,
    name: 'sensitivity',
    run: done(({ state }, guest) => {
      [guest.bx, guest.cx, guest.dx] = state.sensitivity;
    }),
  },
  { number: 0x1c, name: 'set interrupt rate', run: done(() => {}) },
  {
    number: 0x1d,
    name: 'set page',
    run: done((driver, guest) => {
      driver.state.page = guest.bx;
      driver.redraw();
    }),
  },
  {
    number: 0x1e,
    name: 'page',
    run: done(({ state }, guest) => {
      guest.bx = state.page;
    }),
  },
  {
    number: 0x1f,
    name: 'disable driver',
    run: done(({ state }, guest) => {
      state.enabled = false;
      guest.ax = 0x1f;
    }),
  },
  {
    number: 0x20,
    name: 'enable driver',
    run: done(({ state }) => {
      state.enabled = true;
    }),
  },
  {
    number: 0x21,
    name: 'software reset',
    run: done((driver, guest) => {
      driver.reset();
      guest.ax = 0xffff;
      guest.bx = BUTTONS;
    }),
  },
  {
    number: 0x24,
    name: 'version',
    run: done((_, guest) => {
      // 8.20, a bus mouse on IRQ 11.
      guest.bx = 0x0814;
      guest.ch = 1;
      guest.cl = 11;
    }),
  },
  {
    number: 0x26,
    name: 'largest coordinates',
    run: done(({ state, size }, guest) => {
      guest.bx = state.enabled ? 0 : 1;
      guest.cx = size.width - 1;
      guest.dx = size.height - 1;
    }),
  },
];

const rows = byNumber(functions);

/** INT 33h. */
export const mouseService = (driver: MouseDriver): ServiceRow => ({
  name: 'mouse',
  serve: (guest) => rows.get(guest.ax)?.run(driver, guest) ?? 'done',
  describe(guest) {
    const row = rows.get(guest.ax);
    const details = row?.details?.(guest) ?? '';
    return `int 33h ax=${hex(guest.ax, 4)} ${row?.name ?? 'unknown'}${details === '' ? '' : ` ${details}`}`;
  },
  result: ({ ax }, after) => rows.get(ax)?.result?.(after) ?? '',
  kind: ({ ax }) => kindOf(rows.get(ax)),
});
