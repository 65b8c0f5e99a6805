import { lowerHex } from '../../../../formats/hex.ts';
import type { CrashReport } from '../../../../machine/crash.ts';
import { MachineError } from '../../../../machine/errors.ts';
import type { LinuxCapability, LinuxOops } from '../../../../machine/linux.ts';

/** Others are warnings, after which it goes on as before. */
const fatal =
  /Kernel panic|Oops|BUG|Unable to handle kernel|Internal error|general protection fault|divide error|invalid opcode|double fault/;
const maxCalls = 16;

/** Of a Linux guest, what it reports itself comes first: its processors take exceptions all the time, and it handles them. */
export async function withLinux(report: CrashReport, linux: Pick<LinuxCapability, 'oopses'>): Promise<CrashReport> {
  const oopses = await oopsesOf(linux);
  if (!oopses) return report;
  const last = oopses.findLast(({ reason }) => fatal.test(reason));
  const exception = report.exception === undefined ? report.summary : `the last exception: ${report.summary}`;
  if (!last) {
    if (report.exception === undefined) return report;
    const summary = `Linux reports no oops or panic, so it may have handled ${exception}`;
    return { ...report, summary };
  }
  const task = last.task === undefined ? '' : `, in ${last.task}`;
  return {
    ...report,
    summary: `Linux: ${last.reason}${task}`,
    lines: [
      ...last.calls.slice(0, maxCalls).map(({ address, place }) => `  0x${lowerHex(address)} ${place}`),
      exception,
      ...report.lines,
    ],
  };
}

async function oopsesOf(linux: Pick<LinuxCapability, 'oopses'>): Promise<readonly LinuxOops[] | undefined> {
  try {
    return await linux.oopses();
  } catch (error) {
    // Something else runs, or a kernel without types.
    if (error instanceof MachineError && error.type === 'UNAVAILABLE') return undefined;
    throw error;
  }
}
