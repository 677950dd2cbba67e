import type { Finding } from '../effect.ts';
import type { RedirectTo, Runner } from '../shell/runner.ts';
import type { Host } from '../shell/scope.ts';
import type { Names } from './pattern.ts';

/** What a program does with the files that it is given, as far as secrets are concerned. */
export type Trait =
  /** Its arguments are words, not files. */
  | 'text'
  /** It uses a file without showing its content. */
  | 'uses'
  /** It reads the name and attributes of a file, not its content. */
  | 'names'
  /** It shows the content of a file. */
  | 'shows'
  /** It shows selected lines of a file; its first operand selects them. */
  | 'filters'
  /** As `filters`; its first operand is an expression. */
  | 'queries'
  /** It may write what it reads. */
  | 'edits'
  /** It sends a file to another machine. */
  | 'sends'
  /** It is told in words what to send: `put file`. */
  | 'uploads'
  /** Its last operand is where files go. */
  | 'copies'
  /** It may read such a file from its input. */
  | 'feeds'
  /** It tells people something. */
  | 'tells';

/** How a program starts another one: which words are its own. Lists are separated by blanks. */
export interface Starts {
  /** It starts something only behind one of these words: `poetry run`, `pnpm exec`. */
  readonly verbs?: string;
  /** Options with a value, short ones as one letter, long ones by name. */
  readonly valued?: string;
  /** Operands of its own before the program: a duration, a host. */
  readonly skip?: number | 'all';
  /** `NAME=value` before the program is an assignment. */
  readonly assigns?: true;
  /** It hands what is left to a shell: joined by blanks, or only where it is one text. */
  readonly joins?: 'all' | 'one';
  /** Options whose value is a text for a shell. */
  readonly commandIn?: string;
  /** Options whose value is the folder that the program starts in. */
  readonly folderIn?: string;
  /** What it starts has the rights of root, unless it is told another user. */
  readonly root?: true;
  /** With these it does not run anything. */
  readonly idle?: string;
  /** Without a program it is a shell that reads its input: always, or with one of these options. */
  readonly shell?: true | string;
  /** The folder that it starts in. */
  readonly folder?: string;
  /** What it starts is a package, which may carry a version: `rimraf@5`. */
  readonly packages?: true;
}

/** What a rule may know beside the one program. */
export interface Facts extends Pick<Runner, 'files' | 'sockets'> {
  /** Charges work to the budget, in characters; false where nothing is left. */
  readonly spend: (characters: number) => boolean;
  /** What the table says of another program. The rules cannot import the table, which names them. */
  readonly programOf: (name: string) => Program | undefined;
}

/** Looks at one program that is about to be started. */
export type Check = (call: Invocation, facts: Facts) => Finding | undefined;

/** When a program deletes that does other things, too, and which of its operands, as numbers for `slice`. */
interface Removes {
  readonly when: When;
  readonly from?: number;
  readonly to?: number;
}

/** What a program prints, as far as that can be known: in a way of its own, or a text for each kind of call. */
// biome-ignore format: a list of words
export type Prints =
  | 'nothing' | 'variable' | 'echo' | 'code' | 'printf' | 'operands' | 'folder' | 'anywhere' | 'content' | 'some' | 'listing'
  | 'found' | 'openssl' | 'base64' | 'hex' | 'hidden' | 'shell' | 'unpacked' | 'lines' | 'rewritten' | 'awk' | 'letters'
  | 'archive' | readonly (readonly [when: When, text: string])[];

/** Where code stands in the arguments of a program that runs a language. */
export interface Language {
  /** Letters of the short options that are followed by code, alone or at the end of a cluster. */
  readonly code?: string;
  /** Words and long options that are, joined by blanks. */
  readonly long?: string;
  /** Its other options with a value, joined by blanks. */
  readonly valued?: string;
  /** Options that name what to run otherwise, so that the input is only data. */
  readonly module?: string;
  /** Those of them whose value is a file that it runs first. */
  readonly loads?: string;
  /** Words before the program to run: `deno run x.ts`. */
  readonly verbs?: string;
  /** It compiles or reads what stands in a file or in its input. */
  readonly compiles?: true;
  /** It runs PowerShell. */
  readonly windows?: true;
}

/** How a program runs what it is given: as a shell, as a language, or in a way of its own. */
export type Runs = 'shell' | 'input' | 'make' | 'carried' | 'queries' | Language;

/** Where commands for a shell stand in the arguments of a program. */
interface Carries {
  /** What the first group of an expression finds in an argument. */
  readonly patterns?: readonly RegExp[];
  /** The values of these options, joined by blanks. */
  readonly options?: string;
  /** Texts of more than one word behind such an option. */
  readonly behind?: Names;
  /** All arguments of more than one word, where the first argument is such. */
  readonly texts?: RegExp;
  readonly git?: true;
  /** Code with which each line of the input is run. */
  readonly lines?: RegExp;
}

/** The files that a program writes with what it read, copied or loaded. */
export type Fetches =
  | 'input'
  | 'copies'
  /** What has the form of a place on another machine, and known files. */
  | 'remote'
  | 'dd'
  | 'unpacks'
  | 'archive'
  | 'repository'
  | Download;

/** The options with which a download is told its file and folder; by its name it is saved with those, or without a file. */
interface Download {
  readonly file: string;
  readonly folder?: string;
  readonly byName?: string;
}

/** The arguments that name files which a program changes. */
export type Writes =
  | 'operands'
  | 'in-place'
  | 'unpacked'
  | 'awk'
  | 'target'
  | 'moved'
  | 'cmdlet'
  /** The files of an editor that is told to save. */
  | 'saved'
  | { readonly options: string }
  | { readonly behind: Names }
  /** The first group of an expression for an argument. */
  | { readonly pattern: RegExp }
  /** One of its operands, by its place. */
  | { readonly operand: number };

/**
 * The arguments that name files which a program reads, where they are not its operands. An expression sees an argument,
 * then that behind the one before it and `=`.
 */
type Reads = 'curl' | 'input' | 'git' | 'columns' | 'zip' | { readonly pattern: RegExp };

/** A kind of call of a program: all conditions hold. */
export interface CallPattern {
  /** What its verbs and operands begin with, as phrases (`phrases.ts`): `'stash {drop,clear}'`. */
  readonly words?: string;
  /** What they do not begin with. */
  readonly not?: string;
  /** One of them. */
  readonly word?: RegExp;
  /** None of them. */
  readonly lacks?: RegExp;
  /** One of its arguments as it stands, where options are not as elsewhere: `/mir`, `-sdel`. */
  readonly argument?: Names;
  /** Only where nothing is piped in, or only where something is. */
  readonly terminal?: boolean;
  /** Only where it is given the names of everything of one kind: `kubectl delete $(kubectl get pods -o name)`. */
  readonly everything?: true;
  /** Only where it is given the names of files with work that is not committed, or that work itself. */
  readonly changed?: true;
  /** One of the variables that are set for it: `EDITOR=vim`. */
  readonly variable?: RegExp;
  /** One of its options: `'-f --force'`. Clusters are taken apart; in an expression, a value stands behind `=`. */
  readonly option?: Names;
  /** Another of its options. */
  readonly and?: Names;
  /** With one of these options it is something else, a dry run above all. */
  readonly unless?: Names;
}

/** Kinds of calls: phrases that verbs and operands begin with, one pattern, or several. */
export type When = string | CallPattern | readonly CallPattern[];

/** A way to call a program that is dangerous. The functions of `table/ways.ts` make them. */
export interface DangerousCall extends CallPattern {
  readonly is: Finding;
}

/** What is known of a program. */
export interface Program {
  /** What it does with files that it is given. */
  readonly files?: readonly Trait[];
  /** How it starts other programs. */
  readonly starts?: Starts;
  /** It starts programs in containers (`docker exec`, `kubectl run`); `composed` where a file says what they mount. */
  readonly container?: true | 'composed';
  /** What it prints comes from another machine: always, or of these calls. */
  readonly remote?: true | When;
  /** It asks another machine for the name that it is given. */
  readonly asks?: true;
  /** Its arguments are names of programs and packages, or words of its own. */
  readonly namesPrograms?: true;
  /** A program of which nothing is known may be told to start it. */
  readonly harmful?: true;
  /** Options behind which stands a file whose lines it shows: as names, as dates, in complaints. */
  readonly lists?: Names;
  /** It copies files to somewhere else with one of these words. */
  readonly copiesWhen?: Names;
  /** It prompts: the lines below it are what it is told. */
  readonly prompts?: true;
  /** Its option `-o` is for something else than a file to write. */
  readonly noOutput?: true;
  /** It takes commands of its own from its input. */
  readonly told?: true;
  /** What looks at each call of it, where its danger depends on the place: functions of `src/rules`. */
  readonly rules?: readonly Check[];
  /** Of a web server: the word that starts it, unless it is one alone, and the options with the folder that it serves. */
  readonly serves?: { readonly says?: RegExp; readonly folderIn?: string };
  /** What it deletes in addition to its main purpose. */
  readonly removes?: Removes;
  /** For disk tools: words with which it only reads. */
  readonly looks?: Names;
  /** For disk tools: words without which it destroys nothing. */
  readonly wipes?: Names;
  readonly prints?: Prints;
  readonly runs?: Runs;
  /** `set d ~` sets a variable of a shell, not its arguments. */
  readonly setsVariables?: true;
  /** Files of the project with commands or code that it runs, joined by blanks: `package.json`. */
  readonly recipes?: string;
  /** Its language has paths without quotes. */
  readonly forms?: 'sql' | 'tcl';
  readonly carries?: Carries;
  readonly fetches?: Fetches;
  readonly writes?: Writes;
  readonly reads?: Reads;
  /** It prints all variables or what was typed before: always, without arguments, or of these calls. */
  readonly variables?: true | 'alone' | CallPattern | readonly CallPattern[];
  /** Of these calls it prints the names of everything of one kind, which another program may then delete. */
  readonly listsAll?: When;
  /** It empties the files that it writes. */
  readonly empties?: true;
  /** It deletes the files that it writes. */
  readonly deletes?: true;
  /** It starts a program for each of many words. */
  readonly starter?: 'xargs' | 'find' | 'fd' | 'parallel';
  /** The program whose verbs and options it has, of those in `syntax/`. */
  readonly syntax?: string;
  /** Its options with a value: letters and long names, joined by blanks. */
  readonly valued?: string;
  /** Other long options, which matter because they may be abbreviated: `recursive force`. */
  readonly long?: string;
  /** How its options are written, where not as elsewhere: `-chdir=dir`; or `-Name value`, `-Name:value` and `/name:value`. */
  readonly style?: 'one-dash' | 'windows';
  /** What stands in its arguments and its input are statements for a database. */
  readonly statements?: true;
  /** The options with which it only says what it would do. */
  readonly dryRun?: Names;
  /** The ways to call it that are dangerous whatever it is given, or that print a secret. */
  readonly dangers?: readonly DangerousCall[];
}

/** What a row says of a program: a dangerous way to call it, or something else. */
export type Known = DangerousCall | Omit<Program, 'dangers'>;

/** A row of the table: the names of a program, joined by blanks, and what is known of it. */
export type Row = readonly [names: string, ...known: readonly Known[]];

/** One program as it will be started, after expansion and without the wrappers around it. */
export interface Invocation {
  /** The program without its folder, in lower case: `rm`. */
  readonly name: string;
  /** The program as written after expansion: `/bin/rm`, `./x.sh`. */
  readonly program: string;
  readonly args: readonly string[];
  /** What is known of it; nothing of most. */
  readonly known: Program;
  readonly redirects: readonly RedirectTo[];
  /** Variables that are set for it: before its name, by `env`, or exported earlier. */
  readonly env: ReadonlyMap<string, string>;
  /** What it reads, as far as it is known; undefined where it reads the terminal. */
  readonly stdin: string | undefined;
  /** The folder it runs in, `.` where that is where the command started. */
  readonly cwd: string;
  /** The folder of the project, where it is known. */
  readonly project?: string | undefined;
  /** It has the rights of root, by `sudo` or the like. */
  readonly root: boolean;
  /** Where it runs. */
  readonly host: Host;
  /** It only loads values into the environment (`export $(grep … .env)`). */
  readonly loads: boolean;
}

/** Whether a program does one of these with files that it is given. */
export function has({ files }: Program, ...traits: readonly Trait[]): boolean {
  return files !== undefined && traits.some((trait) => files.includes(trait));
}
