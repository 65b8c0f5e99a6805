import type { Hardware } from '../bios-wires.ts';
import type { FunctionRow } from '../service-row.ts';

/** INT 15h AH=84h: buttons, or the four resistances as loops around port 201h count them. */
export const joystick: FunctionRow<Hardware & { joystickAxes(): readonly number[] }> = {
  name: 'joystick',
  details: (g) => (g.dx === 0 ? 'buttons' : 'positions'),
  run({ ports, joystickAxes }, guest) {
    guest.carry = guest.dx > 1;
    if (guest.dx === 0) guest.al = ports.read8(0x201) & 0xf0;
    else if (guest.dx === 1) [guest.ax = 0, guest.bx = 0, guest.cx = 0, guest.dx = 0] = joystickAxes();
    else guest.ah = 0x86;
    return 'done';
  },
};
