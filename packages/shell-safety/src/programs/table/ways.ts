// biome-ignore-all format: one danger a line
import * as found from '../../dangers.ts';
import type { Finding, Severity } from '../../effect.ts';
import type { Names } from '../pattern.ts';
import type { CallPattern, DangerousCall } from '../program.ts';

type Conditions = Omit<DangerousCall, 'is'>;

/**
 * Says how a program is called when it does something: by its words, with one of some options, unless with others; or by
 * other conditions. `discards('clean', '-f', '-n')` is `discards({ words: 'clean', option: '-f', unless: '-n' })`.
 */
type Way = (call?: string | Conditions, option?: Names, unless?: Names) => DangerousCall;

/** Ways to call a program with the same danger; `but` are the options with which there is none. */
export function way(is: Finding, but?: Names): Way {
  return (call = {}, option, unless = but) => {
    const conditions = typeof call === 'string' ? { words: call } : call;
    return { ...(unless && { unless }), ...(option && { option }), ...conditions, is };
  };
}

/** Gives a way to call a program another severity than its danger has elsewhere. */
function severity(given: Severity): (call: DangerousCall) => DangerousCall {
  return ({ is, ...call }) => ({ ...call, is: { ...is, severity: given } });
}

export const critical: (call: DangerousCall) => DangerousCall = severity('critical');
export const medium: typeof critical = severity('medium');

const DRY_RUN = /^--(?:dry-?run(?:=(?:true|client|server))?|preview(?:-only)?|what-if|help|endpoint-url=https?:\/\/(?:localhost|127\.|localstack|minio).*)$/;
/** A name that says that something is there to be thrown away, unless it also says that it is in use: `app-test`, not `test-prod`. */
export const FOR_TESTS: RegExp = /^(?!.*(?:prod|live|staging))(?:.*[\W_])?(?:tests?|te?mp|ci|e2e|scratch|preview)(?:$|[\W_])/;

/** A dry run, or a value that names something for tests: `--dbname=app_test`. */
const TEST = /^--(?:help|version|dry-run|preview)$|(?:^|[=_/-])(?:test|ci|e2e)$|^--env(?:ironment)?=test/i;

export const prints: Way = way(found.printsSecret);
/** As `prints`, but dangerous wherever it goes. */
export const takesSecret: Way = way({ ...found.printsSecret });
export const destroys: Way = way(found.destroysResources, DRY_RUN);
export const changes: Way = way(found.changesResources, DRY_RUN);
export const opensCloud: Way = way(found.opensCloud, DRY_RUN);
export const destroysData: Way = way(found.destroysData, TEST);
export const access: Way = way(found.access);
export const accounts: Way = way(found.accounts);
export const attacks: Way = way(found.attacks);
export const backdoor: Way = way(found.backdoor);
export const bypass: Way = way(found.bypass);
export const changesSettings: Way = way(found.changesSettings);
export const cutsOff: Way = way(found.cutsOff);
export const deletesBranch: Way = way(found.deletesBranch);
export const discards: Way = way(found.discards);
export const discardsIgnored: Way = way(found.discardsIgnored);
export const dropsStash: Way = way(found.dropsStash);
export const enabled: Way = way(found.enabled);
export const erasesTraces: Way = way(found.erasesTraces);
export const fillsUp: Way = way(found.fillsUp);
export const forkingLoop: Way = way(found.forkingLoop);
export const givesRights: Way = way(found.givesRights);
export const hostRights: Way = way(found.hostRights);
export const joinsDocker: Way = way(found.joinsDocker);
export const killsAll: Way = way(found.killsAll);
export const loadsIntoKernel: Way = way(found.loadsIntoKernel);
export const losesSchedule: Way = way(found.losesSchedule);
export const mayLose: Way = way(found.mayLose);
export const mines: Way = way(found.mines);
export const opensTunnel: Way = way(found.opensTunnel);
export const registry: Way = way(found.registry);
export const remoteCode: Way = way(found.remoteCode);
export const removesSystem: Way = way(found.removesSystem);
export const rewritesHistory: Way = way(found.rewritesHistory);
export const rewritesRemote: Way = way(found.rewritesRemote);
export const rootShell: Way = way(found.rootShell);
export const scheduled: Way = way(found.scheduled);
export const showsStore: Way = way(found.showsStore);
export const stopsMachine: Way = way(found.stopsMachine);
export const stopsService: Way = way(found.stopsService);
export const switchesOff: Way = way(found.switchesOff);
export const wipesContainers: Way = way(found.wipesContainers);

/** The source of an expression that matches one of some alternatives. */
export function anyOf(...alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`;
}

/** A verb that deletes, wherever it stands, but not in the past tense: `instances delete`, `delete-stack`, `volume:rm`, `TerminateInstances`. */
export const DELETING_VERB: CallPattern = {
  word: /(?:^|[ :_.-])(?:(?:delete|destroy|terminate|remove)(?!e?d(?![a-z])|dservice)\w{0,60}|purge|prune|forget|erase|expire|rm|del|wipe|undelete|uninstall|nuke|deprovision|drop(?:db)?)(?:[-_][a-z]\S{0,100})?$|^vm\.power$/i,
};

/** One to three words of which the last says to delete: `item delete`, `kv:namespace:remove`, but not `run -- x delete` or `a/b delete`. */
function deletingCall(verbs: string, notBehind = ''): CallPattern {
  const words = '{* * ,* ,}';
  const no = `{*,}{/,.,=}{*,}${notBehind}`;
  return { words: `${words}* ${verbs}, ${words}*:${verbs}`, not: `{run,exec,x,dev}, ${words}{${no}} ${words}${verbs}` };
}

/** A verb that deletes, behind what it deletes. */
export const DELETING_CALL: CallPattern = deletingCall('{delete,destroy,terminate,purge,remove,rm}');

/** The same of a program of which nothing is known: without `rm`, which may be a program, and names of what may be deleted. */
export const DELETING_SERVICE_CALL: CallPattern = deletingCall(
  '{delete,destroy,terminate,purge,remove}',
  ',{cache,tmp,temp,test,draft,local,preview}{*,}',
);

/** Words that are followed by the name of a secret: `config get db_password`. */
export function secretBehind(words: string): string {
  return `${words} ** {*,}{passw,secret,token,key,credential,connection,_auth,salt}{*,}`;
}

/** A program in place of an editor that shows what it is given. */
export const SHOWING_EDITOR: RegExp = /^(?:SUDO_|KUBE_)?(?:EDITOR|VISUAL)=\S*\b(?:cat|less|more|head|tail|bat|sed|grep|awk|cp|tee)\b/;
