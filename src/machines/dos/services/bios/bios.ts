import type { Guest, ServiceOutcome } from '../guest.ts';
import { BiosConsole } from './bios-console.ts';
import type { Hardware } from './bios-wires.ts';
import { callbacks } from './callbacks.ts';
import { bootService } from './disk/boot.ts';
import type { DiskShelf } from './disk/disk-image.ts';
import { diskService } from './disk/int13.ts';
import { keyboardInterrupt } from './keyboard/int09.ts';
import { keyboardService } from './keyboard/int16.ts';
import { KeyBuffer } from './keyboard/key-buffer.ts';
import { type MachineSize, powerOnSelfTest } from './power-on.ts';
import { serialService } from './serial/int14.ts';
import { printerService } from './serial/int17.ts';
import { plainRow, type ServiceRow } from './service-row.ts';
import { equipmentService, memorySizeService } from './system/configuration.ts';
import { systemService } from './system/int15.ts';
import type { PointerState } from './system/pointing-device.ts';
import { PointingDevice, pointerInterrupt } from './system/pointing-device.ts';
import { clockService, timerInterrupt } from './system/timer.ts';
import { clockInterrupt } from './system/wait.ts';
import { videoService } from './video/int10.ts';
import { VideoBios, type WritingProgress } from './video/video-bios.ts';

export interface BiosWires extends Hardware {
  readonly disk: DiskShelf;
  /** What INT 19h may boot from; all disks unless told. */
  readonly bootDisk?: DiskShelf;
  readonly size: MachineSize;
  /** Kilobytes above the first megabyte that INT 15h may still hand out: none while an XMS driver has them. */
  extendedKilobytes(): number;
  joystickAxes(): readonly number[];
  /** INT 19h with nothing to boot from. */
  bootOtherwise(guest: Guest): ServiceOutcome;
}

/** What is not in guest memory. */
export interface BiosState {
  readonly pointer: PointerState;
  readonly attribute: number;
  readonly writing: WritingProgress | undefined;
}

/** All services of the BIOS, by callback number. */
export class Bios {
  readonly video: VideoBios;
  readonly keys: KeyBuffer;
  /** For the console driver of DOS. */
  readonly console: BiosConsole;
  readonly rows: ReadonlyMap<number, ServiceRow>;
  readonly #pointer: PointingDevice;

  constructor(wires: BiosWires) {
    const { memory, ports } = wires;
    this.video = new VideoBios(wires);
    this.keys = new KeyBuffer(memory);
    this.console = new BiosConsole(this.video, this.keys);
    this.#pointer = new PointingDevice(ports);
    const pointer = this.#pointer;
    const powerOn: ServiceRow = {
      name: 'power on',
      serve: (guest) => powerOnSelfTest(wires, this.video, guest),
      describe: () => 'power-on self test',
    };
    this.rows = new Map([
      [0x08, timerInterrupt(memory)],
      [0x09, keyboardInterrupt(memory, this.keys)],
      [0x10, videoService(this.video)],
      [0x11, equipmentService(memory)],
      [0x12, memorySizeService(memory)],
      [0x13, diskService(wires)],
      [0x14, serialService(wires)],
      [0x15, systemService({ ...wires, pointer })],
      [0x16, keyboardService(wires)],
      [0x17, printerService(wires)],
      [0x18, plainRow(0x18, 'no boot device', (guest) => wires.bootOtherwise(guest))],
      [0x19, bootService(wires.bootDisk ?? wires.disk, wires.bootOtherwise)],
      [0x1a, clockService(wires)],
      [0x70, clockInterrupt(wires)],
      [0x74, pointerInterrupt(pointer)],
      [callbacks.powerOn, powerOn],
    ]);
  }

  save(): BiosState {
    return { pointer: this.#pointer.save(), attribute: this.console.attribute, writing: this.video.writing };
  }

  restore({ pointer, attribute, writing }: BiosState): void {
    this.video.writing = writing;
    this.#pointer.restore(pointer);
    this.console.attribute = attribute;
  }
}
