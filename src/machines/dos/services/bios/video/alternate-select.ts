import { hex } from '../../../../../formats/hex.ts';
import { bda } from '../data-area.ts';
import type { FunctionRow } from '../service-row.ts';
import type { VideoBios } from './video-bios.ts';

const names: ReadonlyMap<number, string> = new Map([
  [0x10, 'EGA information'],
  [0x20, 'print screen routine'],
  [0x30, 'scan lines'],
  [0x31, 'palette loading'],
  [0x32, 'video addressing'],
  [0x33, 'grey summing'],
  [0x34, 'cursor emulation'],
  [0x36, 'screen refresh'],
]);

/** INT 10h AH=12h. AL becomes 12h where the function is known. */
export const alternateSelect: FunctionRow<VideoBios> = {
  name: 'alternate select',
  details: (g) => `bl=${hex(g.bl, 2)} ${names.get(g.bl) ?? 'unknown'}`,
  run({ memory, vga }, guest) {
    const flag = (address: number, bit: number, set: boolean) => {
      memory.write8(address, set ? memory.read8(address) | bit : memory.read8(address) & ~bit);
    };
    switch (guest.bl) {
      case 0x10:
        guest.bh = (memory.read16(bda.crtcPort) & 0x40) === 0 ? 1 : 0;
        guest.bl = 3;
        guest.ch = 0;
        guest.cl = memory.read8(bda.videoSwitches) & 15;
        return 'done';
      case 0x20:
      case 0x32:
        break;
      case 0x30:
        // The lines of text modes are 400 whatever is asked; 200 and 350 are kept for who reads them back.
        flag(bda.videoFlags, 0x80, guest.al === 0);
        flag(bda.videoFlags, 0x10, guest.al === 2);
        break;
      case 0x31:
        flag(bda.videoFlags, 8, guest.al !== 0);
        break;
      case 0x33:
        flag(bda.videoFlags, 2, guest.al === 0);
        break;
      case 0x34:
        flag(bda.videoOptions, 1, guest.al !== 0);
        break;
      case 0x36: {
        const mode = vga.readSequencer(1);
        vga.sequencer(1, guest.al !== 0 ? mode | 0x20 : mode & ~0x20);
        break;
      }
      default:
        return 'done';
    }
    guest.al = 0x12;
    return 'done';
  },
};
