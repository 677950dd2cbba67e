// biome-ignore-all format: a row stands in one line, or each way to call a program does
import { shellOnSocket } from '../../rules/backdoors.ts';
import type { Row } from '../program.ts';
import { rewritesHistory } from './ways.ts';

/** Shells and programs that run or compile a language. */
export const languages: readonly Row[] = [
  ['powershell pwsh', { runs: { long: '-c -command /c -com', windows: true }, rules: [shellOnSocket] }],
  ['iex invoke-expression', { runs: 'input' }],
  ['pypy ipython bpython ptpython scapy pdb', { runs: { code: 'c', module: 'm' }, carries: { patterns: [/^!{1,2}(.+)$/gs] } }],
  ['gnuplot', { runs: { code: 'e' }, carries: { patterns: [/\bsystem\s*\(?\s*["']([^"']+)/g, /^!(.+)$/gs, /["']<\s*([^"']+)["']/g] } }],
  ['dc bc', { prompts: true, told: true, carries: { patterns: [/^!(.+)$/gs] } }],
  ['deno crystal', { runs: { long: 'eval', verbs: 'run' } }],
  ['rscript r groovy scala kotlin clojure bb jrunscript jjs elixir swift racket', { runs: { code: 'e' } }],
  ['erl octave octave-cli sbcl', { runs: { long: '-eval --eval eval' } }],
  ['expect', { runs: { code: 'c' }, forms: 'tcl', carries: { patterns: [/\b(?:spawn|exec|system)\s+([^;\n]+)/g] } }],
  ['guile', { runs: { code: 'c' } }],
  ['v dart', { runs: { verbs: 'run' } }],
  ['nim', { runs: { code: 'e', verbs: 'e r' } }],
  ['puppet', { runs: { code: 'e', verbs: 'apply' } }],
  ['java jshell javac kotlinc', rewritesHistory({ line: /^(?=(?:.* )?-jar \S*bfg\S*\.jar )(?=.* --(?:delete|strip|replace))/ }), { runs: { compiles: true } }],
  ['rustc zig gfortran fpc nasm c++ tcc', { runs: { compiles: true } }],
];
