import type { HostSettings } from '../machine/host.ts';
import type { RackLimits } from '../rack/rack.ts';
import type { OptionValues } from './options.ts';

/** Options that concern machines, in whatever thread they are. */
export function machineSettings(
  options: OptionValues,
  environment: NodeJS.ProcessEnv,
  selfCommand: readonly string[],
): HostSettings {
  return {
    terminal: options.terminal,
    serialLinks: options.serialLinks,
    allowCommands: options.allowCommands,
    allowMonitor: options.allowMonitor,
    monitorCommands: options.allowMonitorCommands,
    maxAnnotations: options.maxAnnotations,
    romFolders: options.roms,
    qemuFolders: options.qemuDir,
    lock: options.lock,
    environment,
    selfCommand,
  };
}

export function rackLimits(options: OptionValues): RackLimits {
  return {
    machines: options.maxMachines,
    traceBytes: options.maxTraceBytes,
    idleTimeoutMs: options.idleTimeout * 1000,
  };
}
