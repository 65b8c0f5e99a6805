import { z } from 'zod';
import { MachineError } from '../../machine/errors.ts';
import { addressOf } from '../debug/address.ts';
import { defineTool } from '../tool.ts';

export const errorClear = defineTool({
  name: 'error_clear',
  title: 'Clear an error',
  description: 'Leave ERROR for PAUSED, and go on at another address if there is one.',
  toolset: 'inner',
  needs: ['control', 'addresses'],
  effect: 'change',
  input: z.object({ pc: z.string().max(100).optional() }),
  async run({ control, addresses }, { pc }) {
    if (!control.clearError) {
      throw new MachineError('MISSING_CAPABILITY', 'Errors of this machine cannot be cleared.', 'Reset it.');
    }
    await control.clearError(pc === undefined ? undefined : await addressOf(pc, addresses));
    return { text: '', data: {} };
  },
});
