import { z } from 'zod';

/** The door to the machine is opened by whoever starts it; the machine itself knows nothing of it. */
export const gdbOption = portOption('gdb, lldb or Ghidra');
export const dapOption = portOption('IDEs that speak the Debug Adapter Protocol');
export const binmonOption = portOption("clients of VICE's binary monitor");

function portOption(whom: string) {
  return z
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(`Loopback port for ${whom}; 0: any free one. Needs --allow-debuggers`);
}
