import type { Pattern } from '../console/pattern-search.ts';

/** Why a boot has come to its end without getting there. */
interface BootFailure {
  readonly meaning: string;
  readonly pattern: Pattern & { readonly regex: string };
}

/** In the words of Linux, systemd, initramfs-tools, dracut, GRUB, SeaBIOS and EDK II. */
export const bootFailures: readonly BootFailure[] = [
  failure('the kernel panicked', 'Kernel panic - not syncing[^\\n]*'),
  failure(
    'it came up in an emergency shell',
    'You are in (?:emergency|rescue|maintenance) mode|Entering (?:emergency|rescue|maintenance) mode' +
      '|(?:Give root password|Press Enter) for (?:system )?maintenance|Cannot open access to console, the root account is locked',
  ),
  failure(
    'it came no further than its initial file system',
    '^\\(initramfs\\)|Dropping to (?:a|the) shell|Gave up waiting for (?:the )?root|^dracut:/#|^rd\\.break',
  ),
  failure('its first program gave up', 'systemd\\[1\\]: Freezing execution|No working init found|^!!!!!! Failed to'),
  failure('it stopped in its boot loader', '^grub(?: rescue)?> ?$|^Shell> ?$|^iPXE> ?$|^=> ?$|^U-Boot> ?$'),
  failure('there is nothing to boot', 'No bootable (?:device|medium|option)[^\\n]*|[Oo]perating [Ss]ystem not found'),
];

/** What does not stop a boot but should be known. */
const troubles = /\[ *FAILED *\]|Out of memory: Kill|\bBUG: |\bOops\b|Failed to start |segfault at|I\/O error/;

export function troublesIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => troubles.test(line));
}

/** What a console waits for, as its last line shows. */
export type Prompt = 'name' | 'password' | 'shell' | 'enter' | 'question' | undefined;

const words = {
  name: /(?:^|[\s\])])(?:login(?: as)?|user ?name|user|account|benutzername|anmeldename|identifiant|usuario|usuário|utente|login name)\s*[:：]\s*$/i,
  lastLogin: /last (?:failed )?login/i,
  password:
    /(?:password|passcode|passphrase|passwort|kennwort|mot de passe|contraseña|senha|wachtwoord|hasło|heslo|пароль|密码|パスワード)[^\n]*[:：]\s*$/i,
  enter: /press (?:the )?(?:enter|return)\b[^\n]*(?:activate|console|continue|start)/i,
  shell: /[#$❯»➜] ?$|[^\d\s]% ?$|[^\s=-]> ?$/,
};

export function promptIn(lastLine: string, ownPrompt?: string): Prompt {
  if (ownPrompt !== undefined && lastLine.trimEnd().endsWith(ownPrompt.trimEnd())) return 'shell';
  if (words.password.test(lastLine)) return 'password';
  if (words.name.test(lastLine) && !words.lastLogin.test(lastLine)) return 'name';
  if (words.enter.test(lastLine)) return 'enter';
  if (words.shell.test(lastLine)) return 'shell';
  return /[:：?] ?$/.test(lastLine) ? 'question' : undefined;
}

/** What systems say to those whom they do not let in. */
export const refusals: Pattern & { readonly regex: string } = {
  regex:
    '[^\\n]*(?:login incorrect|incorrect (?:login|password)|authentication fail|login failed|access denied|permission denied|bad password' +
    '|account (?:is |has been )?(?:locked|disabled|expired)|anmeldung fehlgeschlagen|maximum number of tries|login timed out)[^\\n]*',
  ignoreCase: true,
};

/** A password that has to be changed first. */
export const passwordChange =
  /(?:current|new|retype|old)\b[^\n]*password[^\n]*[:：]\s*$|required to change your password/i;

function failure(meaning: string, regex: string): BootFailure {
  return { meaning, pattern: { regex } };
}
