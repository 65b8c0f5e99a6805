import { qemuKind } from '../../src/machines/qemu/qemu-kind.ts';
import { QemuMachine } from '../../src/machines/qemu/qemu-machine.ts';
import { makeRack } from '../make-rack.ts';

/** A server that starts a machine, says its process, and waits to be killed. */
const { machine } = await makeRack([qemuKind]).start('qemu', { arch: 'riscv64', memory: 16, bios: process.argv[2] });
if (machine instanceof QemuMachine) console.log(machine.pid);
setInterval(() => {}, 1000);
