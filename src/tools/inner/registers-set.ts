import { registersWrite } from '../registers-write.ts';
import { defineTool } from '../tool.ts';

/** For surfaces on which an error ends only when somebody clears it. */
export const registersSet = defineTool({
  name: 'registers_set',
  title: registersWrite.title,
  description: registersWrite.description,
  toolset: 'inner',
  needs: ['cpu', 'addresses', 'control'],
  effect: 'change',
  idempotent: true,
  whileStopped: true,
  input: registersWrite.input,
  run(machine, asked, context) {
    const write = () => registersWrite.run(machine, asked, context);
    return machine.control.keepingError?.(write) ?? write();
  },
});
