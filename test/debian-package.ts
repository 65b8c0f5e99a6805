import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';

export type DebianArchitecture = 'amd64' | 'arm64';

export const guestCache = resolve('.cache/guests');

/** Debian's name for the computer that the tests run on. */
export const ownArchitecture: DebianArchitecture = process.arch === 'x64' ? 'amd64' : 'arm64';

/**
 * A folder with those files of a package that `wanted` names, fetched once and asked for in one way only. A package that only points at the current
 * one of its sort, as those of kernels do, stands for that one.
 */
export function debianFiles(
  name: string,
  architecture: DebianArchitecture,
  wanted: (path: string) => string | undefined,
  version = 1,
): string {
  const folder = join(guestCache, `${name}-${architecture}${version === 1 ? '' : `-${version}`}`);
  if (existsSync(folder)) return folder;
  const work = join(guestCache, `fetch-${process.pid}`);
  const fresh = join(work, 'fresh');
  mkdirSync(fresh, { recursive: true });
  const apt = aptOptions(architecture);
  const real = packageBehind(name, apt) ?? packageBehind(name, apt, true);
  if (real === undefined) throw new Error(`apt knows no package ${name} for ${architecture}`);
  execFileSync('apt-get', ['-q', ...apt, 'download', real], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  const deb = readdirSync(work).find((file) => file.endsWith('.deb')) ?? '';
  execFileSync('dpkg', ['-x', join(work, deb), join(work, 'root')]);
  for (const file of readdirSync(join(work, 'root'), { recursive: true, encoding: 'utf8' })) {
    const as = wanted(file);
    if (as !== undefined) copyFileSync(join(work, 'root', file), join(fresh, as));
  }
  // At once, so that a download that was cut short is never taken for a package.
  if (!existsSync(folder)) renameSync(fresh, folder);
  rmSync(work, { recursive: true, force: true });
  return folder;
}

/** For another architecture apt gets lists of its own, so that nothing of this computer changes. */
function aptOptions(architecture: DebianArchitecture): string[] {
  const settings = [`APT::Sandbox::User=${userInfo().username}`];
  if (architecture !== ownArchitecture) {
    const own = join(guestCache, `apt-${architecture}`);
    mkdirSync(join(own, 'lists/partial'), { recursive: true });
    settings.push(`APT::Architecture=${architecture}`, `APT::Architectures=${architecture}`);
    settings.push(`Dir::State::Lists=${own}/lists`, 'Dir::State::status=/dev/null');
    settings.push('Dir::Cache::pkgcache=', 'Dir::Cache::srcpkgcache=');
  }
  return settings.flatMap((each) => ['-o', each]);
}

function packageBehind(name: string, apt: readonly string[], updateFirst = false): string | undefined {
  if (updateFirst) execFileSync('apt-get', ['-q', ...apt, 'update'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { stdout, status } = spawnSync('apt-cache', [...apt, 'depends', name], { encoding: 'utf8' });
  if (status !== 0 || stdout.trim() === '') return undefined;
  return /Depends: (linux-image-\S+)/.exec(stdout)?.[1] ?? name;
}
