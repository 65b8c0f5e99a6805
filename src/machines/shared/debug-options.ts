import { z } from 'zod';

/** The door to the machine is opened by whoever starts it; the machine itself knows nothing of it. */
export const gdbOption = z
  .number()
  .int()
  .min(0)
  .max(65_535)
  .optional()
  .describe('Port of loopback for gdb, lldb or Ghidra; 0: any free one. Needs --allow-debuggers');
