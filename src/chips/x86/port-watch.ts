import type { X86Wires } from './core.ts';

/** One access to a port. */
export interface PortAccess {
  readonly kind: 'in' | 'out';
  readonly port: number;
  readonly width: 8 | 16 | 32;
  readonly value: number;
}

/** The same wires, with somebody told of each access. */
export function watchPorts(wires: X86Wires, hook: (access: PortAccess) => void): X86Wires {
  return {
    in(port, width) {
      const value = wires.in(port, width);
      hook({ kind: 'in', port, width, value });
      return value;
    },
    out(port, width, value) {
      wires.out(port, width, value);
      hook({ kind: 'out', port, width, value });
    },
    callback: (number) => wires.callback(number),
    interruptVector: () => wires.interruptVector(),
  };
}
