import { describe, expect, expectTypeOf, test } from 'vitest';
import { type ToolsetChoice, toolsetChoices } from '../tools/toolsets.ts';
import { options as table } from './options.ts';
import { parseCommandLine } from './parse.ts';
import { UsageError } from './usage-error.ts';

const noFile = () => undefined;
const toolsetWords = `${toolsetChoices.slice(0, -1).join(', ')} or ${toolsetChoices.at(-1)}`;

function parse(line: string, env: NodeJS.ProcessEnv = {}, files: Record<string, unknown> = {}) {
  const read = (path: string) => (path in files ? textOf(files[path]) : undefined);
  return parseCommandLine(line === '' ? [] : line.split(' '), env, read);
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
  throw new Error('no problem was found');
}

describe('commands', () => {
  test('without words the program serves stdio with the defaults', () => {
    const { command, positionals, options, warnings } = parse('');
    expect(command).toBe('stdio');
    expect(positionals).toEqual([]);
    expect(warnings).toEqual([]);
    expect(options).toMatchObject({
      host: '127.0.0.1',
      port: 6510,
      token: undefined,
      noToken: false,
      allowedClients: ['127.0.0.0/8', '::1'],
      toolset: ['auto'],
      logLevel: 'info',
      idleTimeout: 3600,
      maxMachines: 32,
      maxStreams: 10,
      maxSessions: 64,
      maxRate: 1000,
      maxBodyBytes: 4_194_304,
      maxTraceBytes: 10_000_000,
      maxHistoryBytes: 1024 * 1024 * 1024,
      maxAnnotations: 100_000,
      terminal: 'auto',
      allowPath: ['.'],
    });
  });

  test('the first word names the command, wherever the options stand', () => {
    expect(parse('--port 1 serve --yes')).toMatchObject({ command: 'serve', options: { port: 1, yes: true } });
    expect(parse('call console_read machine=c-1 from=-5')).toMatchObject({
      command: 'call',
      positionals: ['console_read', 'machine=c-1', 'from=-5'],
    });
    expect(parse('call x -')).toMatchObject({ positionals: ['x', '-'] });
    expect(parse('call x -- --yes')).toMatchObject({ positionals: ['x', '--yes'], options: { yes: false } });
  });

  test('--socket alone is the client mode of the serencp dialect', () => {
    const line = parse('--socket /tmp/serial_VM.out --filtered');
    expect(line).toMatchObject({ command: 'attach', options: { socket: '/tmp/serial_VM.out', filtered: true } });
  });

  test('help and version win over everything that is wrong', () => {
    expect(parse('serve --help --nonsense', { FRONTPANEL_PORT: 'x' })).toMatchObject({
      command: 'help',
      positionals: ['serve'],
    });
    expect(parse('-h')).toMatchObject({ command: 'help', positionals: [] });
    expect(parse('help attach')).toMatchObject({ command: 'help', positionals: ['attach'] });
    expect(parse('--version --bogus')).toMatchObject({ command: 'version' });
    expect(parse('version')).toMatchObject({ command: 'version' });
  });

  test('unknown commands, missing and surplus words', () => {
    expect(problemsOf(() => parse('sevre'))).toEqual(['Unknown command "sevre". Did you mean serve?']);
    expect(problemsOf(() => parse('zzzzzz'))[0]).toContain('The commands are serve, dap, station, store, attach, call');
    expect(problemsOf(() => parse('call'))[0]).toContain('TOOL is missing. Usage: frontpanel call TOOL');
    expect(problemsOf(() => parse('serve now'))[0]).toContain('Unexpected "now"');
    expect(problemsOf(() => parse('completion tcsh'))).toEqual(['SHELL must be one of bash, zsh, fish, not "tcsh".']);
  });
});

describe('flags', () => {
  test('values after a space or an equals sign; lists by comma and repetition; flags denied', () => {
    const { options } = parse(
      'serve --port=80 --host ::1 --toolset machines,debug --toolset=log --no-structured --no-token',
    );
    expect(options).toMatchObject({
      port: 80,
      host: '::1',
      toolset: ['machines', 'debug', 'log'],
      structured: false,
      noToken: true,
    });
    expect(parse('serve --port 1 --port 2').options.port).toBe(2);
    expect(parse('serve --allow-path=').options.allowPath).toEqual([]);
    expect(parse('--yes=false', { FRONTPANEL_YES: '1' }).options.yes).toBe(false);
  });

  test('all problems are told at once', () => {
    expect(problemsOf(() => parse('serve --prot 1 --log-level loud --port 70000 --yes=perhaps'))).toEqual([
      'Unknown option --prot. Did you mean --port?',
      'Unexpected "1". Usage: frontpanel serve [options]',
      '--log-level must be debug, info, notice, warning or error, not "loud".',
      '--port must be a whole number from 0 to 65535, not 70000.',
      '--yes must be true or false, not "perhaps".',
    ]);
  });

  test.each([
    ['serve --port', '--port needs a value: a whole number from 0 to 65535.'],
    ['serve --port --yes', '--port needs a value: a whole number from 0 to 65535.'],
    ['serve --token=', '--token needs a value.'],
    ['serve --port 1e3', '--port must be a whole number from 0 to 65535, not "1e3".'],
    ['serve --port 1.5', '--port must be a whole number from 0 to 65535, not 1.5.'],
    ['serve --allowed-clients 10.0.0.0/33', '--allowed-clients must be a list, each item being an address or a range'],
    ['serve --allowed-origins https://a.example/path', 'must be a list, each item being an origin'],
    ['serve --allowed-hosts http://a', 'must be a list, each item being a host name'],
    ['--toolset debug,everything', `--toolset must be a list of ${toolsetWords}, not "everything".`],
    ['tools --url localhost:6510', '--url must be an http or https address'],
    ['-0', 'Unknown option -0. See frontpanel --help.'],
    ['attach --port 1', '--port is not an option of frontpanel attach, but of frontpanel serve, frontpanel dap.'],
    ['attach a --socket b.out', 'Give either --socket or a name, not both.'],
    ['serve --token x --no-token', '--token and --no-token exclude each other.'],
    ['serve --exe A.COM', '--exe is an option of the dialect spice86: use it with --dialect spice86.'],
    ['--dialect qemu --cfg-cpu', '--cfg-cpu is an option of the dialect spice86: use it with --dialect spice86.'],
    ['call x --token t', '--token is only of use with --url.'],
    ['call x --url http://a/mcp --yes', '--yes has no effect on the server at http://a/mcp (from --url).'],
  ])('%s', (line, problem) => {
    expect(problemsOf(() => parse(line))).toEqual([expect.stringContaining(problem)]);
  });

  test('address ranges of both kinds', () => {
    const ranges = ['10.0.0.0/8', '192.168.1.5', '::1', 'fd00::/8'];
    expect(parse(`serve --allowed-clients ${ranges.join()}`).options.allowedClients).toEqual(ranges);
  });
});

describe('places', () => {
  const file = { 'frontpanel.config.json': { $schema: './x.json', port: 3, host: 'file', 'max-rate': 30 } };

  test('flag over environment over file over default, and each says where it came from', () => {
    const env = { FRONTPANEL_PORT: '2', FRONTPANEL_HOST: 'env', FRONTPANEL_MAX_SESSIONS: '' };
    const { options, sources } = parse('serve --port 1', env, file);
    expect(options).toMatchObject({ port: 1, host: 'env', maxRate: 30, maxSessions: 64 });
    expect(sources.port).toEqual({ place: 'flag', name: '--port' });
    expect(sources.host).toEqual({ place: 'environment', name: 'FRONTPANEL_HOST' });
    expect(sources['max-rate']).toEqual({ place: 'file', name: 'frontpanel.config.json: "max-rate"' });
    expect(sources['max-sessions']).toEqual({ place: 'default', name: 'default' });
  });

  test('what a command does not take is left alone, but a file is checked as a whole', () => {
    expect(parse('', { FRONTPANEL_PORT: 'bad' }, file).options.port).toBe(6510);
    expect(parse('attach', {}, { 'frontpanel.config.json': 'rubbish' }).command).toBe('attach');
    expect(parse('doctor', {}, { 'frontpanel.config.json': 'rubbish' }).command).toBe('doctor');
    expect(problemsOf(() => parse('', {}, { 'frontpanel.config.json': { port: 'x' } }))).toEqual([
      'frontpanel.config.json: "port" must be a whole number from 0 to 65535, not "x".',
    ]);
  });

  test('options of a dialect go with it: another one from a stronger place takes them out', () => {
    const spice86 = { 'panel.json': { dialect: 'spice86', exe: 'A.COM', 'cfg-cpu': true } };
    const named = '--config panel.json';
    expect(parse(named, {}, spice86).options).toMatchObject({ dialect: 'spice86', exe: 'A.COM', cfgCpu: true });
    expect(parse(`${named} --dialect qemu`, {}, spice86).options).toMatchObject({ exe: undefined, cfgCpu: false });
    expect(parse('--dialect qemu', { FRONTPANEL_EXE: 'A.COM' }).options.exe).toBeUndefined();
    expect(problemsOf(() => parse('', { FRONTPANEL_EXE: 'A.COM' }))).toEqual([
      'FRONTPANEL_EXE is an option of the dialect spice86: use it with --dialect spice86.',
    ]);
  });

  test('problems name the variable, or the file and the key', () => {
    expect(problemsOf(() => parse('serve', { FRONTPANEL_PORT: 'x', FRONTPANEL_YES: 'maybe' }))).toEqual([
      'FRONTPANEL_PORT must be a whole number from 0 to 65535, not "x".',
      'FRONTPANEL_YES must be true or false, not "maybe".',
    ]);
    const wrong = { maxRate: 1, toolset: 'debug', yes: 'true', dialect: 'x', config: 'y', help: true };
    expect(problemsOf(() => parse('serve', {}, { 'frontpanel.config.json': wrong }))).toEqual([
      'frontpanel.config.json: unknown key "maxRate". Did you mean max-rate?',
      `frontpanel.config.json: "toolset" must be a list of ${toolsetWords}, not "debug".`,
      'frontpanel.config.json: "yes" must be true or false, not "true".',
      'frontpanel.config.json: "dialect" must be serencp, qemu, spice86 or vice, not "x".',
      expect.stringContaining('frontpanel.config.json: unknown key "config"'),
      expect.stringContaining('frontpanel.config.json: unknown key "help"'),
    ]);
  });

  test('another file by flag or environment; its paths start where it lies', () => {
    const files = { '/etc/panel.json': { 'allow-path': ['disks', '/srv'], 'log-file': 'x.log', toolset: ['all'] } };
    const byFlag = parse('--config /etc/panel.json', { FRONTPANEL_CONFIG: '/nowhere' }, files);
    expect(byFlag.options).toMatchObject({
      allowPath: ['/etc/disks', '/srv'],
      logFile: '/etc/x.log',
      toolset: ['all'],
    });
    expect(parse('', { FRONTPANEL_CONFIG: '/etc/panel.json' }, files).options.toolset).toEqual(['all']);
    expect(problemsOf(() => parse('', { FRONTPANEL_CONFIG: '/nowhere' }))).toEqual([
      'FRONTPANEL_CONFIG: there is no file /nowhere.',
    ]);
  });

  test.each(['', 'serve', 'station --nats nats://host', 'dap', 'tools'])('"%s" obeys the file', (words) => {
    const policy = { 'panel.json': { 'allow-kinds': ['c64'], consoles: { vm: { port: 1 } } } };
    const { options, sections } = parse(`${words} --config panel.json`.trim(), {}, policy);
    expect(options.allowKinds).toEqual(['c64']);
    expect(sections?.values.has('consoles')).toBe(true);
    expect(problemsOf(() => parse(`--config none.json ${words}`.trim()))).toEqual([
      '--config: there is no file none.json.',
    ]);
  });

  test('files that are no JSON object or cannot be read', () => {
    expect(problemsOf(() => parse('', {}, { 'frontpanel.config.json': '{' }))[0]).toContain('is not JSON');
    expect(problemsOf(() => parse('', {}, { 'frontpanel.config.json': [] }))[0]).toContain('must hold a JSON object');
    const locked = () => {
      throw new Error('permission denied');
    };
    expect(problemsOf(() => parseCommandLine([], {}, locked))).toEqual([
      'frontpanel.config.json cannot be used: permission denied.',
    ]);
  });

  test('token and no-token from different places: the stronger place wins', () => {
    expect(parse('serve --no-token', { FRONTPANEL_TOKEN: 't' }).options).toMatchObject({
      token: undefined,
      noToken: true,
    });
    const fromFile = { 'frontpanel.config.json': { 'no-token': true } };
    expect(parse('serve', { FRONTPANEL_TOKEN: 't' }, fromFile).options).toMatchObject({ token: 't', noToken: false });
    expect(parse('tools', { FRONTPANEL_TOKEN: 't' }).options.token).toBe('t');
  });

  test('a variable that means nothing is warned about', () => {
    expect(parse('', { FRONTPANEL_PROT: '1', OTHER: '2' }).warnings).toEqual([
      'The environment variable FRONTPANEL_PROT means nothing. Did you mean FRONTPANEL_PORT?',
    ]);
  });
});

test('the types of the values follow the table', () => {
  const { options } = parseCommandLine([], {}, noFile);
  expectTypeOf(options.port).toEqualTypeOf<number>();
  expectTypeOf(options.token).toEqualTypeOf<string | undefined>();
  expectTypeOf(options.host).toEqualTypeOf<string>();
  expectTypeOf(options.imageResponses).toEqualTypeOf<'allow' | 'omit'>();
  expectTypeOf(options.dialect).toEqualTypeOf<'serencp' | 'qemu' | 'spice86' | 'vice' | undefined>();
  expectTypeOf(options.toolset).toEqualTypeOf<readonly ToolsetChoice[]>();
  expectTypeOf(options.allowedClients).toEqualTypeOf<readonly string[]>();
  for (const option of table) expect(options).toHaveProperty(option.key);
});
