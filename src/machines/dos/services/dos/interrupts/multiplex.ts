import { DosError } from '../../../drives/dos-error.ts';
import type { Guest, Service, ServiceOutcome } from '../../guest.ts';
import type { Dos } from '../dos.ts';
import { linear } from '../far-pointer.ts';
import { at, dosSegment, drivesMax, sizes } from '../layout.ts';

const installed = 0xff;

/** INT 2Fh. Other parts of the machine (XMS …) register for an AH; what nobody knows is left as it is. */
export class Multiplex {
  readonly #dos: Dos;
  readonly #services = new Map<number, Service>();

  constructor(dos: Dos) {
    this.#dos = dos;
    this.register(0x10, (guest) => {
      if (guest.al === 0 && dos.share.loaded) guest.al = installed;
      return 'done';
    });
    this.register(0x12, (guest) => this.#internal(guest));
    this.register(0x1a, (guest) => {
      if (guest.al === 0) guest.al = installed;
      return 'done';
    });
    this.register(0x16, (guest) => {
      // 1680h: the program has nothing to do. Halting until the next interrupt is all there is to give away.
      if (guest.al === 0x80) guest.al = 0;
      return 'done';
    });
  }

  register(ah: number, service: Service): void {
    this.#services.set(ah, service);
  }

  run(guest: Guest): ServiceOutcome {
    return this.#services.get(guest.ah)?.(guest) ?? 'done';
  }

  /** 12xxh: the kernel's own services, those that programs outside DOS are known to call. */
  #internal(guest: Guest): ServiceOutcome {
    const dos = this.#dos;
    guest.carry = false;
    switch (guest.al) {
      case 0x00:
        guest.al = installed;
        break;
      case 0x03:
        guest.ds = dosSegment;
        break;
      case 0x16:
        return this.#orCarry(guest, () => {
          const file = dos.files.get(guest.bx);
          guest.es = dosSegment;
          guest.di = file.address - linear(dosSegment, 0);
        });
      case 0x17: {
        const drive = guest.memory.read16(linear(guest.ss, guest.sp + 6));
        guest.carry = drive >= drivesMax;
        guest.ds = dosSegment;
        guest.si = at.directories + drive * sizes.directory;
        break;
      }
      case 0x20:
        return this.#orCarry(guest, () => {
          const process = dos.processes.current;
          dos.processes.handle(process, guest.bx);
          const pointer = dos.processes.long(process, 0x34);
          guest.es = pointer >>> 16;
          guest.di = (pointer + guest.bx) & 0xffff;
        });
      case 0x2c:
        guest.bx = dosSegment;
        guest.ax = at.listOfLists + 0x22;
        break;
      default:
        guest.carry = true;
        guest.ax = 1;
    }
    return 'done';
  }

  #orCarry(guest: Guest, action: () => void): ServiceOutcome {
    try {
      action();
    } catch (error) {
      if (!(error instanceof DosError)) throw error;
      guest.carry = true;
      guest.ax = error.code;
    }
    return 'done';
  }
}
