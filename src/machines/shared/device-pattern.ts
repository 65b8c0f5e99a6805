/** Whether one of the patterns means this device; `*` stands for anything within one part of a path. */
export function isDeviceOf(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => patternOf(pattern).test(path));
}

function patternOf(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}
