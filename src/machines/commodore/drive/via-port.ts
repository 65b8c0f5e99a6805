import { type Via6522State, fields as via } from '../../../chips/via6522/fields.ts';

/** Whether an access to this register of a VIA neither depends on its timers nor starts anything that takes time. */
export function isPort(register: number, state: Via6522State): boolean {
  const pcr = state[via.pcr];
  return (register & 15) < 2 && (pcr & 0x0c) !== 0x08 && (pcr & 0xc0) !== 0x80 && (state[via.acr] & 0x20) === 0;
}
