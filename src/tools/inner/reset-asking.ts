import { z } from 'zod';
import { defineTool } from '../tool.ts';

/** For dialects whose original asks before both sorts of reset. */
export const resetAsking = defineTool({
  name: 'reset_asking',
  title: 'Reset after asking',
  description: 'The reset button or the mains switch; a person is asked about either.',
  toolset: 'inner',
  needs: ['control'],
  effect: 'destroy',
  input: z.object({ mode: z.enum(['soft', 'hard']) }),
  confirm: (_machine, { mode }) =>
    mode === 'hard' ? 'Switch the machine off and on? Its memory is lost.' : 'Reset the machine?',
  async run({ control }, { mode }) {
    await control.reset(mode);
    return { text: '', data: { mode } };
  },
});
