/** The account of servers whose configuration names none: everybody there is one team. */
export const onlyAccount = '$G';

/** CVE-2025-30215: one account can change the store of another. */
export function letsAccountsIn(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  if (major !== 2) return major < 2;
  return minor < 10 || (minor === 10 && patch < 27) || (minor === 11 && patch < 1);
}
