import { readFileSync } from 'node:fs';
import { MachineError } from '../machine/errors.ts';
import type { TerminalInput, TerminalOutput } from './attach/terminal-mode.ts';
import { attach } from './attach.ts';
import { callTool, listTools } from './call-command.ts';
import { commandNamed } from './commands.ts';
import { completionScript, type Shell } from './completion.ts';
import type { ConfigFileOrigin } from './config-file.ts';
import type { ConfigSections } from './config-sections.ts';
import type { Installed } from './doctor/finding.ts';
import { checkNats } from './doctor/nats-check.ts';
import { doctor } from './doctor.ts';
import { exitCodes } from './exit-codes.ts';
import { readFoundFile } from './found-file.ts';
import { helpText } from './help.ts';
import { inStages } from './in-stages.ts';
import { loadFleet } from './load-fleet.ts';
import { openLog } from './log.ts';
import { EarlyThread } from './new-thread.ts';
import { openConfigWarnings } from './open-config.ts';
import type { OptionName } from './options.ts';
import { type CommandLine, parseCommandLine } from './parse.ts';
import { keepAbsolutePlaces } from './search-path.ts';
import { UsageError } from './usage-error.ts';

/** The program's surroundings: the only way in for arguments, environment and streams. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput & { readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & NodeJS.WriteStream;
  readonly self: { readonly version: string; readonly command: readonly string[] };
}

export async function main(around: Surroundings): Promise<number> {
  const others = keepAbsolutePlaces(around.env);
  if (others.length > 0) {
    around.stderr.write(`frontpanel: programs are not looked for in ${others.join(', ')}: not absolute (PATH)\n`);
  }
  try {
    const line = parseCommandLine(around.argv, around.env, readConfigFile);
    const warnings = line.command === 'doctor' ? line.warnings : [...line.warnings, ...openConfigWarnings(line)];
    for (const warning of warnings) around.stderr.write(`frontpanel: ${warning}\n`);
    return await run(line, around);
  } catch (error) {
    if (error instanceof MachineError) {
      around.stderr.write(`frontpanel: ${error.message}\n${error.fix}\n`);
      return exitCodes.failed;
    }
    if (!(error instanceof UsageError)) throw error;
    around.stderr.write(`${error.message}\n`);
    return exitCodes.usage;
  }
}

async function run(line: CommandLine, around: Surroundings): Promise<number> {
  const { command, positionals, options, sources } = line;
  const { env, stdin, stdout, stderr, self } = around;
  switch (command) {
    case 'help':
      stdout.write(
        helpText(commandNamed(positionals[0] ?? '') ?? 'stdio', { stream: stdout, env, columns: stdout.columns }),
      );
      return exitCodes.ok;
    case 'version':
      stdout.write(`${self.version}\n`);
      return exitCodes.ok;
    case 'completion': {
      const { tools } = await import('../tools/index.ts');
      const names = tools.map(({ name }) => name);
      stdout.write(completionScript(positionals[0] as Shell, names));
      return exitCodes.ok;
    }
    case 'doctor':
      return doctor({
        env,
        stdout,
        json: options.json,
        fix: options.fix,
        config: options.config,
        qemuFolders: options.qemuDir,
        readConfigFile,
        selfCommand: self.command,
        further: [() => checkNats(options)],
        ...(!options.quick && { boot: (installed: Installed) => bootKinds(line, around, installed) }),
      });
    case 'demo': {
      await loadInStages();
      const { showDemo } = await import('./tour/tour-command.ts');
      return showDemo(options, await sectionsOf(line), around);
    }
    case 'attach':
      return attach(positionals[0], { ...options, stdin, stdout, stderr, env });
    case 'call':
    case 'tools': {
      await loadInStages();
      const { openToolServer } = await import('./tool-server.ts');
      const server = await openToolServer(options, sources, await sectionsOf(line), around, command === 'tools');
      const [name, ...words] = positionals;
      if (command === 'tools') return listTools(server, { stdout, name, json: options.json });
      return callTool(server, { stdin, stdout, stderr, tool: name ?? '', words, output: options.output });
    }
    case 'replay': {
      await loadInStages();
      const { replay } = await import('./replay/replay-command.ts');
      const mayWrite = sources['allow-path'].place === 'flag';
      return replay(positionals[0] ?? '', { options, mayWrite, sections: await sectionsOf(line) }, around);
    }
    case 'gym': {
      const { serveGym } = await import('./gym-command.ts');
      return serveGym(positionals[0] ?? '', { read: [...options.allowRead, ...options.allowPath], stdout, stdin });
    }
    case 'dap': {
      await loadInStages();
      const { debugAdapter } = await import('./debug-adapter.ts');
      const port = sources.port.place === 'flag' ? options.port : undefined;
      return debugAdapter(options, port, await sectionsOf(line), around);
    }
    case 'station': {
      await loadInStages();
      const { station } = await loadFleet(() => import('./station-command.ts'));
      return station(options, await sectionsOf(line), around);
    }
    case 'store': {
      const { storeCommand } = await loadFleet(() => import('./store-command.ts'));
      return storeCommand(positionals, options, stdout);
    }
    case 'serve':
    case 'stdio': {
      await loadInStages();
      const early = options.demo && options.threads > 0 ? new EarlyThread() : undefined;
      const { serve } = await import('./serve.ts');
      const isGiven = (name: OptionName) => sources[name].place !== 'default';
      return serve(command, options, await sectionsOf(line), around, { isGiven, early });
    }
  }
}

/** In a world of its own, without what the configuration keeps. */
async function bootKinds({ options }: CommandLine, { env, self, stderr }: Surroundings, installed: Installed) {
  await loadInStages();
  const { bootEachKind } = await import('./doctor/boot-check.ts');
  const { openWorld } = await import('./world.ts');
  const { readSections } = await import('./config-sections.ts');
  const log = openLog('error', undefined, (text) => stderr.write(text));
  const world = await openWorld({ ...options, toolset: ['all'] }, readSections(undefined).sections, env, self, log);
  try {
    return await bootEachKind(world.host, installed);
  } finally {
    await world.close();
  }
}

async function sectionsOf({ sections: raw }: CommandLine): Promise<ConfigSections> {
  const { readSections } = await import('./config-sections.ts');
  const { sections, problems } = readSections(raw);
  if (problems.length > 0) throw new UsageError(problems);
  return sections;
}

function loadInStages(): Promise<void> {
  return inStages(
    () => import('zod'),
    () => import('../server/mcp-server.ts'),
    () => import('../tools/index.ts'),
    // A module that could not be opened once can never be loaded again, so these must not come after the last descriptor.
    () => import('../machines/console/console-machine.ts'),
    () => import('../machines/console/choose-link.ts'),
  );
}

function readConfigFile(path: string, origin: ConfigFileOrigin): string | undefined {
  try {
    return origin === 'found' ? readFoundFile(path) : readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
