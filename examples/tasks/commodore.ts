import { found, type Task, wants } from './task.ts';

/** What a task has to know of a Commodore; `vice` machines are Commodores, too. */
export interface Commodore {
  readonly kind: string;
  readonly options?: Record<string, unknown>;
  /** As a person would call it. */
  readonly name: string;
  readonly columns: number;
  readonly screen: number;
  /** Where machine code may stand. */
  readonly free: number;
}

export const c64: Commodore = { kind: 'c64', name: 'a C64', columns: 40, screen: 0x0400, free: 0xc000 };
export const vic20: Commodore = { kind: 'vic20', name: 'a VIC-20', columns: 22, screen: 0x1e00, free: 0x1c00 };
export const plus4: Commodore = { kind: 'plus4', name: 'a Plus/4', columns: 40, screen: 0x0c00, free: 0x2000 };
export const vice: Commodore = { ...c64, kind: 'vice', name: 'a C64 in VICE (kind vice)' };

export const start = ({ kind, options = {} }: Commodore) => ({ kind, options });

/** `$C000` */
export const address = (value: number) => `$${value.toString(16).toUpperCase().padStart(4, '0')}`;

/** The start-up screen says how much memory BASIC has. */
export function bytesFree(machine: Commodore, bytes: number): Task {
  return {
    prompt: `Start ${machine.name} and tell me how many bytes BASIC has free.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      return call('run', { screen_text: 'READY.', show: 'screen' });
    },
    check: ({ answer }) => wants(answer, new RegExp(`\\b${bytes}\\b`)),
  };
}

export function helloBasic(machine: Commodore): Task {
  return {
    prompt: `On ${machine.name}, run a BASIC program that prints HELLO 42 and tell me what the screen says.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      const source = '10 PRINT "HELLO";6*7';
      return call('program_run', { language: 'basic', source, screen_text: 'HELLO 42', show: 'screen' });
    },
    check: async ({ answer, look }) => wants(answer, /HELLO 42/) ?? wants(await look('screen_read'), /HELLO 42/),
  };
}

export function findSyntaxError(machine: Commodore): Task {
  return {
    prompt: `This BASIC program does not run on ${machine.name}: 10 A=1 / 20 PRITN A. Which line is wrong, and what does BASIC say?`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      return call('program_run', { language: 'basic', source: '10 A=1\n20 PRITN A', frames: 30 });
    },
    check: ({ answer }) => wants(answer, /SYNTAX +ERROR IN 20/),
  };
}

export function fillLine(machine: Commodore): Task {
  return {
    prompt: `On ${machine.name}, write a machine program that fills the first screen line with the letter A.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      const { free, columns, screen } = machine;
      const source = `* = ${address(free)}\n ldx #${columns - 1}\n lda #1\nloop sta ${address(screen)},x\n dex\n bpl loop\n rts`;
      return call('program_run', { source, frames: 5, show: 'screen' });
    },
    check: async ({ look }) => wants(await look('screen_read'), new RegExp(`^A{${machine.columns}}$`, 'im')),
  };
}

/** The second of two writes is the one; both must be seen to tell. */
export function whoWrites(machine: Commodore, register: number): Task {
  const at = address(register);
  return {
    prompt: `This program is for ${machine.name}: * = ${address(machine.free)} / ldx #3 / loop stx ${at} / dex / bne loop / end jmp end. Which instruction, at which address, writes ${at}, and which value does it write first?`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      const source = `* = ${address(machine.free)}\n ldx #3\nloop stx ${at}\n dex\n bne loop\nend jmp end`;
      await call('program_run', { source, start: false });
      await call('breakpoint_set', { address: at, type: 'write' });
      await call('registers_write', { values: { PC: address(machine.free) } });
      const stopped = await call('run', { frames: 10, show: 'state' });
      if (/written by/.test(stopped)) return stopped;
      // VICE stops after it and does not say which it was.
      return `${stopped}\n${await call('disassemble', { address: 'loop', count: 1 })}`;
    },
    check: ({ answer }) =>
      wants(answer, new RegExp(`${(machine.free + 2).toString(16)}`, 'i')) ?? wants(answer, /\b0?3\b|→03/),
  };
}

export function countCycles(machine: Commodore): Task {
  return {
    prompt: `How many cycles does this routine take on ${machine.name}, its RTS included: ldx #10 / loop dex / bne loop / rts? Measure it.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      const source = `* = ${address(machine.free)}\n ldx #10\nloop dex\n bne loop\n rts`;
      await call('program_run', { source, start: false });
      return call('tool_find', { tool: 'routine_call', arguments: { address: address(machine.free) } });
    },
    check: ({ answer }) => wants(answer, /\b57\b/),
  };
}

/** The text of the screen lies in memory as screen codes. */
export function findText(machine: Commodore): Task {
  return {
    prompt: `Where in the screen memory of ${machine.name} does READY stand after the start? Its screen codes are 12 05 01 04 19. Give the address.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      const { columns, screen } = machine;
      const range = { from: address(screen), length: columns * 23 };
      return call('tool_find', { tool: 'memory_search', arguments: { pattern: '12 05 01 04 19', ...range } });
    },
    async check({ answer, look }) {
      const said = found(answer.split('\n').at(-1) ?? '', /(\$[0-9A-F]{4})/i);
      if (said === '') return `no address in: ${answer}`;
      return wants(await look('memory_read', { address: said, length: 5 }), /12 05 01 04 19/);
    },
  };
}

export function undo(machine: Commodore): Task {
  return {
    prompt: `On ${machine.name} save a snapshot when BASIC is ready, type PRINT 1, then go back to the snapshot. The screen must not show what was typed.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      await call('snapshot_save', { name: 'ready' });
      await call('input_send', { text: 'PRINT 1\n' });
      await call('snapshot_restore', { name: 'ready' });
      return call('screen_read');
    },
    check: async ({ look }) =>
      /PRINT 1/.test(await look('screen_read')) ? 'PRINT 1 is on screen' : wants(await look('snapshot_list'), /ready/),
  };
}

export function rewind(machine: Commodore): Task {
  return {
    prompt: `On ${machine.name}, let 50 frames pass, type PRINT 7, and then go back in time to before the typing, without a snapshot. READY must be the last thing on the screen.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      await call('run', { frames: 50 });
      const typed = await call('input_send', { text: 'PRINT 7\n', show: 'state' });
      const frames = Number(found(typed, /\(frame (\d+)/)) - 200;
      await call('run', { frames, back: true });
      return call('screen_read');
    },
    async check({ look }) {
      const screen = await look('screen_read');
      return /PRINT 7/.test(screen) ? `it is still typed: ${screen}` : wants(screen, /READY\.\n\[\/output/);
    },
  };
}

export function setRegisters(machine: Commodore): Task {
  return {
    prompt: `On ${machine.name}, set A to 5, X to 6 and Y to 7 and tell me the registers.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      return call('registers_write', { values: { A: 5, X: 6, Y: 7 } });
    },
    check: async ({ look }) => wants(await look('state_read'), /A=05 X=06 Y=07/),
  };
}

/** A program that does nothing but wait for the stick; the byte at `seen` tells. */
export function joystick(machine: Commodore, port: number, wait: string): Task {
  const seen = address(machine.free + 0x80);
  return {
    prompt: `On ${machine.name}, this program waits for the fire button of joystick ${port} and then writes 1 to ${seen}: * = ${address(machine.free)} / ${wait.trim().replaceAll(/\n */g, ' / ')} / lda #1 / sta ${seen} / end jmp end. Run it and press fire.`,
    async solve({ call }) {
      await call('machine_start', start(machine));
      const source = `* = ${address(machine.free)}\n${wait}\n lda #1\n sta ${seen}\nend jmp end`;
      await call('program_run', { source, frames: 5 });
      await call('input_send', { joystick: port, directions: ['fire'], frames: 5 });
      return call('memory_read', { address: seen, length: 1 });
    },
    check: async ({ look }) => wants(await look('memory_read', { address: seen, length: 1 }), /\s01\b/),
  };
}
