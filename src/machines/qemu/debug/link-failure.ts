import { GdbError } from '../../../links/gdb/gdb-error.ts';
import { QmpError } from '../../../links/qmp/qmp-error.ts';
import { advice, call, MachineError } from '../../../machine/errors.ts';

/** A connection to QEMU has closed, which is seen before the end of its process. */
export function isClosedLink(error: unknown): boolean {
  const cause = error instanceof MachineError ? error.cause : error;
  return (cause instanceof GdbError || cause instanceof QmpError) && cause.failure === 'closed';
}

/** What a failed exchange with QEMU means to an agent; anything else stays what it is. */
export function linkFailure(error: unknown): unknown {
  if (!(error instanceof GdbError) && !(error instanceof QmpError)) return error;
  const options = { cause: error };
  if (error.failure === 'closed') {
    const fix = [
      advice`${call('machine_list')} says how it ended.`,
      advice`Start a new machine with ${call('machine_start')}.`,
    ];
    return new MachineError('WRONG_STATE', 'QEMU ended during this call.', fix, {}, options);
  }
  if (error.failure === 'protocol') {
    const fix = advice`Start a new machine with ${call('machine_start')}.`;
    return new MachineError('WRONG_STATE', `The connection to QEMU is gone: ${error.message}.`, fix, {}, options);
  }
  if (error.failure === 'timeout') {
    const fix = advice`Try again; if it stays silent, stop the machine with ${call('machine_stop')}.`;
    const what =
      error instanceof GdbError ? 'QEMU does not answer its debugger' : `QEMU does not answer: ${error.message}`;
    return new MachineError('UNAVAILABLE', `${what}.`, fix, {}, options);
  }
  const fix = 'This QEMU does not do that here; use another address, register or way.';
  return new MachineError('EXECUTION_ERROR', `QEMU refuses: ${error.message}.`, fix, {}, options);
}
