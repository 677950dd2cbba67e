import { type Finding, finding } from '../effect.ts';
import { place } from '../paths/places.ts';
import type { Invocation } from '../programs/program.ts';
import { empties } from '../programs/writes.ts';
import { options } from '../shell/options.ts';
import { diskWrite, isDisk } from './devices.ts';
import type { CheckChange, Checks } from './rule.ts';

/** Accounts and rights of the system, changed past the tools that check them. */
export const systemFileRules: Checks<
  | 'editedBySudo'
  | 'superUser'
  | 'powerfulGroup'
  | 'noPassword'
  | 'removesAccount'
  | 'windowsAdmin'
  | 'setsPasswords'
  | 'visudo'
  | 'vipw'
> = {
  editedBySudo: ({ args }) => {
    const edited = args.some((arg) => /^(?:-e|--edit)$/.test(arg)) ? args.find(isAuthFile) : undefined;
    return edited === undefined ? undefined : systemFile(edited);
  },
  superUser,
  powerfulGroup,
  noPassword,
  removesAccount: ({ args }) => (POWERFUL.test(args.at(-1) ?? '') ? accounts : undefined),
  windowsAdmin: ({ args }) => (WINDOWS_ADMIN.test(args.join(' ')) ? accounts : undefined),
  setsPasswords: () => accounts,
  visudo: ({ stdin, env }) => (stdin === undefined && !env.has('EDITOR') ? undefined : accounts),
  vipw: ({ args }) => (args.some((arg) => /^-(?:h|-help)$/.test(arg)) ? undefined : accounts),
};

/** A file of the system that is written, by redirection or as a target. */
export const checkSystemFile: CheckChange = (path, call) => {
  if (AUTH_FILE.test(path) || HIJACK_FILE.test(path)) return systemFile(path);
  if (isDisk(path)) return diskWrite(path);
  if (call.name === '' && /^\/(?:boot|bin|sbin|usr\/bin|usr\/sbin)\//.test(path)) return systemFile(path);
  return /^\/(?:etc|boot|s?bin|lib\w*|usr\/(?:s?bin|lib\w*))\//.test(path) && empties(call)
    ? emptied(path)
    : undefined;
};

const AUTH_FILE =
  /^\/etc\/(?:passwd|shadow|gshadow|group|master\.passwd|sudoers|security\/opasswd)-?$|^\/usr\/local\/etc\/sudoers$|^(?:\/usr\/local)?\/etc\/(?:sudoers\.d|pam\.d)(?:\/|$)|^\/etc\/pam\.conf$|\/system32\/config\/(?:sam|system)$/;
const HIJACK_FILE = /^\/etc\/ld\.so\.preload$|^\/proc\/sys\/kernel\/(?:core_pattern|modprobe)$/;

function emptied(path: string): Finding {
  return finding(
    'system-file/empty',
    `This empties ${path}, a file of the system.`,
    'Leave it as it is, or ask the user.',
  );
}

/** Also for a path that only a text names, as in `open('/etc/passwd', 'w')`. */
export function isAuthFile(path: string): boolean {
  return AUTH_FILE.test(place(path, '.')) || HIJACK_FILE.test(place(path, '.'));
}

export function systemFile(path: string): Finding {
  return finding(
    'system-file/write',
    `This changes ${path}, which decides who may use this system.`,
    'Leave accounts and rights to the user, or ask them to run `visudo`, `useradd` or `passwd` themselves.',
  );
}

const accounts = finding(
  'system-file/account',
  'This sets passwords or gives an account the rights of root.',
  'Leave accounts and passwords to the user.',
);

function superUser(call: Invocation): Finding | undefined {
  const { values, flags } = options(call.args, [
    ...'ugGdscekfp',
    'uid',
    'gid',
    'password',
    'groups',
    'home',
    'shell',
  ]);
  const uid = values.get('-u') ?? values.get('--uid');
  if (uid === '0' || flags.has('-o') || flags.has('--non-unique')) return accounts;
  return values.has('-p') || values.has('--password')
    ? call.name === 'usermod'
      ? accounts
      : undefined
    : undefined;
}

/** Who is in one of these groups is as good as root. */
function powerfulGroup({ name, args }: Invocation): Finding | undefined {
  return groupsOf(name, args).some((group) => POWERFUL.test(group)) ? accounts : undefined;
}

/** The groups that somebody comes into. */
function groupsOf(name: string, args: readonly string[]): readonly string[] {
  if (name === 'gpasswd' || name === 'dseditgroup') {
    const { values, operands } = options(args, ['a', 'M', 'o', 't', 'add', 'members']);
    return ['-a', '-M', '--add', '--members'].some((option) => values.has(option)) ? operands.slice(-1) : [];
  }
  const { values, operands } = options(args, [...'ugGdsceMfpk', 'groups', 'gid', 'uid', 'home', 'shell']);
  const named = [values.get('-G'), values.get('--groups'), values.get('-g'), values.get('--gid')];
  const groups = named.flatMap((list) => list?.split(',') ?? []);
  // `adduser ann sudo`
  return groups.length === 0 && /^add/.test(name) ? operands.slice(1) : groups;
}

const WINDOWS_ADMIN =
  /^localgroup administrators .*\/add|-(?:append|create|merge) \/Groups\/(?:admin|wheel)\b/i;
const POWERFUL = /^(?:0|sudo|wheel|root|admin|shadow|disk|kmem)$/;

function noPassword(call: Invocation): Finding | undefined {
  const { flags, operands } = options(call.args);
  if (flags.has('-d') || flags.has('--delete')) return accounts;
  const status = flags.has('-S') || flags.has('--status') || flags.has('-l') || flags.has('-e');
  return flags.has('--stdin') || (operands.includes('root') && !status) ? accounts : undefined;
}
