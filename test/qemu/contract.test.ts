import { qemuKind } from '../../src/machines/qemu/qemu-kind.ts';
import { describeMachine } from '../contract/machine.contract.ts';
import { uBoot } from './vm.ts';

describeMachine({
  kind: qemuKind,
  options: async () => uBoot.x86,
  capabilities: [
    'control',
    'cpu',
    'processors',
    'addresses',
    'memory',
    'breakpoints',
    'snapshots',
    'screen',
    'keyboard',
    'mouse',
    'media',
    'console',
    'symbols',
    'chips',
    'monitor',
  ],
});
