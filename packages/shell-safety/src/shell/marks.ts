/**
 * Unknown text is represented by one private character, so that a string keeps its origin through variables, pipes and
 * quotes.
 */

/** Something unknown: an unset variable, the content of a file. */
export const UNKNOWN = '\ue000';
/** A variable that this command never sets. It may be empty. */
export const UNSET = '\ue006';
/** It came over the network. */
export const REMOTE = '\ue001';
/** Decoded or rewritten text whose content is unknown. */
export const OPAQUE = '\ue002';
/** A text of the command, rewritten by `sed` and the like: ordinary, unless it goes straight to a shell. */
export const REWRITTEN = '\ue007';
/** The names of everything of one kind: all containers, processes, packages, branches. */
export const ALL_OF_A_KIND = '\ue003';
/** What an interactive shell answers. */
export const SHELL_OUTPUT = '\ue004';
/** At the start of a word: not a file's name but its content, as `<(…)` gives it. */
export const CONTENT = '\ue005';

/** The name of a pseudo variable. Its value is the environment file whose variables are loaded. */
export const LOADED = '\ue008';

/** A password, token or key. */
export const SECRET = '\ue009';
export const VARIABLES = '\ue00a';

/** A whole database, or a whole folder of somebody's work. */
export const BULK = '\ue00b';

/** Where the shell ends a field, while a word is expanded. */
export const FIELD_END = '\ue00f';

/** The names of files with work that is not committed, or that work itself. */
export const CHANGED = '\ue00c';

export function holdsBulk(text: string): boolean {
  return text.includes(BULK);
}

export function holdsSecret(text: string): boolean {
  return text.includes(SECRET);
}

export function holdsVariables(text: string): boolean {
  return text.includes(VARIABLES);
}

const MARKS = /[\ue000-\ue00f]/g;

/** Removes marks from the typed command. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '?');
}

export function isKnown(text: string): boolean {
  return !/[\ue000-\ue00f]/.test(text);
}

const UNSETS = new RegExp(`${UNSET}+`, 'g');

/** The text with unset variables expanded to nothing. */
export function withoutUnset(text: string): string {
  return text.includes(UNSET) ? text.replace(UNSETS, '') : text;
}
