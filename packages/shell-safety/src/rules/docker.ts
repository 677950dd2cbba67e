import { type Finding, finding } from '../effect.ts';
import type { Invocation } from '../programs/program.ts';
import { ALL_OF_DOCKER } from '../shell/marks.ts';
import type { Checks } from './rule.ts';

/** Deleting all that docker keeps. */
export const dockerRules: Checks<'docker' | 'dockerDaemon' | 'colima'> = {
  docker,
  dockerDaemon: asksDaemon,
  colima: ({ args }) => (args.includes('delete') ? wipe : undefined),
};

const wipe: Finding = finding(
  'docker/wipe',
  'This deletes volumes, containers or images by the lot, with the data in them.',
  'Remove what you made by its name (`docker rm web`, `docker volume rm app_test`).',
);

/** The daemon asked by itself, past the client: `curl --unix-socket /run/docker.sock -X POST …/volumes/prune`. */
function asksDaemon({ args }: Invocation): Finding | undefined {
  return args.some((arg) => /\/(?:docker|podman)\.sock$/.test(arg)) &&
    args.some((arg) => /^(?:-X)?POST$|^--request=POST$/i.test(arg)) &&
    args.some((arg) => /\/volumes\/prune(?:\?|$)/.test(arg))
    ? wipe
    : undefined;
}

/** `compose down -v` takes the volumes of all its services; `compose rm -v web` those of one. */
function takesVolumes(words: readonly string[], flag: (letter: string, long: string) => boolean): boolean {
  const down = words.includes('down');
  return flag('v', '--volumes') && (down || words.at(-1) === 'rm');
}

/** A project or a file that is named for tests is there to be thrown away. */
function isForTests(arg: string): boolean {
  return /(?:^|[\W_])(?:test\w*|ci|e2e|spec|tmp)(?:$|[\W_])/i.test(arg);
}

function docker(call: Invocation): Finding | undefined {
  const { args } = call;
  const words = args.filter((arg) => !arg.startsWith('-'));
  const flag = (letter: string, long: string): boolean =>
    args.some(
      (arg) => arg === long || arg === `${long}=true` || (/^-[a-zA-Z]+$/.test(arg) && arg.includes(letter)),
    );
  const does = (group: string, verb: string): boolean => {
    const at = words.indexOf(group);
    return at !== -1 && words[at + 1] === verb;
  };
  if (does('system', 'prune'))
    return flag('a', '--all') || args.some((arg) => arg.startsWith('--volumes')) ? wipe : undefined;
  if (does('volume', 'prune') || does('system', 'reset'))
    return args.some((arg) => arg.startsWith('--filter')) &&
      !args.some((arg) => /\ball=(?:1|true)$/.test(arg))
      ? undefined
      : wipe;
  if (
    (call.name.endsWith('-compose') || words.includes('compose')) &&
    takesVolumes(words, flag) &&
    !args.some(isForTests)
  )
    return wipe;
  const removes = words.some((word) => ['rm', 'rmi', 'remove'].includes(word));
  if (removes && call.name !== 'docker' && flag('a', '--all')) return wipe;
  return removes && words.some((word) => word.includes(ALL_OF_DOCKER)) ? wipe : undefined;
}
