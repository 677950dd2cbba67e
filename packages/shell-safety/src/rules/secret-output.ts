import { printsSecret, sendsBulk, sendsSecret, showsVariables } from '../dangers.ts';
import type { Finding } from '../effect.ts';
import { fileKey, place } from '../paths/places.ts';
import { isRemotePlace } from '../programs/calls.ts';
import { pathsRead } from '../programs/paths-read.ts';
import { type Facts, has, type Invocation } from '../programs/program.ts';
import { holdsBulk, holdsSecret, holdsVariables } from '../shell/marks.ts';
import { options } from '../shell/options.ts';
import { isDryRun } from './table-dangers.ts';

/** What comes out of a command where the agent reads it. */
export function checkPrinted(output: string): Finding | undefined {
  // `echo "::add-mask::$TOKEN"` tells GitHub Actions what to hide.
  if (holdsSecret(output)) return /^::add-mask::[^\n]*\n?$/.test(output) ? undefined : printsSecret;
  return holdsVariables(output) ? showsVariables : undefined;
}

/** What a program that talks to other machines is given to send there. */
export function checkSent(call: Invocation, facts: Facts): Finding | undefined {
  if (isDryRun(call)) return undefined;
  if (has(call.known, 'tells') && !has(call.known, 'sends')) return checkTold(call);
  // `mysqldump --all-databases | ssh x 'cat > y'`
  if (call.known.remote === true && call.known.starts && holdsBulk(call.stdin ?? ''))
    return /^(?:cat|dd|tee) ?\S*[>=]|^tee /.test(call.args.at(-1) ?? '') ? sendsBulk : undefined;
  if (!has(call.known, 'sends') && !call.known.asks) return undefined;
  const uploads = pathsRead(call).filter((path) => !isRemotePlace(path));
  const uploaded = uploads.map((path) => facts.files.get(fileKey(path, call.cwd)) ?? '');
  const sent = [...(call.name === 'curl' ? sentByCurl(call) : [...call.args, call.stdin ?? '']), ...uploaded];
  if (sent.some((text) => holdsSecret(text) || holdsVariables(text))) return sendsSecret;
  if (
    call.args.some(
      (arg) => HERE.test(arg) || /^(?:\w+:\/\/)?[\w.-]+\.(?:local|lan|internal)(?:[:/]|$)/.test(arg),
    )
  )
    return undefined;
  const away = !has(call.known, 'copies') || isRemotePlace(call.args.at(-1) ?? '');
  const bulk =
    [call.stdin ?? '', ...uploaded].some(holdsBulk) ||
    (away && uploads.some((path) => HOMES.test(place(path, call.cwd)) || isDump(path, call)));
  return bulk ? sendsBulk : undefined;
}

/** What is written where others read it: all variables, or a token that is no login. */
function checkTold({ args, stdin }: Invocation): Finding | undefined {
  const told = [...args, stdin ?? ''];
  if (told.some(holdsVariables)) return sendsSecret;
  return told.some(holdsSecret) && /^(?:pr|issue|gist|release|mr|discussion|snippet)$/.test(args[0] ?? '')
    ? sendsSecret
    : undefined;
}

const HOMES =
  /^(?:~|\/|\/etc|\/home|\/users|\/root|\/var\/lib|~\/(?:documents|desktop|\.config(?:\/(?:git|hub|composer|pypoetry))?|\.(?:cargo|gem|m2|local\/share)))(?:\/\*?)?$/;

/** A copy of a database, sent by what is for uploads and not for backups. */
function isDump(path: string, { known }: Invocation): boolean {
  return (
    !has(known, 'copies') && /(?:^|\/)(?=[\w.-]*(?:dump|backup))[\w.-]*$|\.(?:sql|dump)(?:\.gz)?$/i.test(path)
  );
}

const DATA = /^(?:-[dFT]|--(?:data(?:-\w+)?|json|form(?:-string)?|upload-file|url-query))$/;
/** A secret in an address, but as what logs in there: `?api_key=…`. */
const IN_QUERY =
  /[?&](?!\w{0,40}(?:key|token|auth|secret|password|sig|code|appid|id)=)[\w-]{1,40}=[^&]{0,40}[\ue009\ue00a]/i;
/** At the end of an address; services that are told by it who calls have it in the middle. */
const IN_PATH =
  /^(?:https?:\/\/)?(?!\S{0,80}(?:telegram|slack|discord|webhook))[\w.-]{1,200}(?::\d+)?\/(?:[^?#]{0,400}\/)?[\ue009\ue00a][^/?#]{0,40}$/i;
const HERE = /^(?:https?:\/\/)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/;

const CURL_VALUED =
  'd F T H u X o A b e data json form header request user data-binary data-raw data-urlencode upload-file output url-query';

/** Its headers and `-u` are how one logs in, and so is a request for a token. */
function sentByCurl({ args, stdin }: Invocation): readonly string[] {
  const { given, operands } = options(args, CURL_VALUED);
  if (operands.length > 0 && operands.every((url) => HERE.test(url))) return [];
  if (operands.some((url) => IN_QUERY.test(url) || IN_PATH.test(url))) return operands;
  const data = given.flatMap(([name, value]) => (DATA.test(name) ? value : []));
  if (data.some((text) => /grant_type=|client_secret=/.test(text))) return [];
  return data.some((text) => /(?:^|[@<=])@?-$/.test(text)) ? [...data, stdin ?? ''] : data;
}
