import { rewritesHistory } from '../../dangers.ts';
import { shellOnSocket } from '../../rules/backdoors.ts';
import type { Row } from '../program.ts';

/** Shells and programs that run or compile a language. */
// biome-ignore format: a table has its rows in lines
export const languages: readonly Row[] = [
  ['powershell pwsh', { rules: [shellOnSocket], runs: { long: '-c -command /c -com', windows: true } }],
  ['iex invoke-expression', { runs: 'input' }],
  ['pypy ipython bpython ptpython scapy pdb', { runs: { code: 'c', module: 'm' }, carries: { patterns: [/^!{1,2}(.+)$/gs] } }],
  ['gnuplot', { runs: { code: 'e' }, carries: { patterns: [/\bsystem\s*\(?\s*["']([^"']+)/g, /^!(.+)$/gs, /["']<\s*([^"']+)["']/g] } }],
  ['dc bc', { prompts: true, told: true, carries: { patterns: [/^!(.+)$/gs] } }],
  ['deno', { runs: { long: 'eval', verbs: 'run' } }],
  ['crystal', { runs: { long: 'eval', verbs: 'run' } }],
  ['rscript r', { runs: { code: 'e' } }],
  ['groovy scala kotlin clojure bb jrunscript jjs', { runs: { code: 'e' } }],
  ['elixir', { runs: { code: 'e' } }],
  ['swift', { runs: { code: 'e' } }],
  ['racket', { runs: { code: 'e' } }],
  ['erl', { runs: { long: '-eval --eval eval' } }],
  ['octave octave-cli', { runs: { long: '-eval --eval eval' } }],
  ['sbcl', { runs: { long: '-eval --eval eval' } }],
  ['expect', { runs: { code: 'c' }, forms: 'tcl', carries: { patterns: [/\b(?:spawn|exec|system)\s+([^;\n]+)/g] } }],
  ['guile', { runs: { code: 'c' } }],
  ['v dart', { runs: { verbs: 'run' } }],
  ['nim', { runs: { code: 'e', verbs: 'e r' } }],
  ['puppet', { runs: { code: 'e', verbs: 'apply' } }],
  ['java jshell javac kotlinc', { runs: { compiles: true }, dangers: [{ line: /^(?=(?:.* )?-jar \S*bfg\S*\.jar )(?=.* --(?:delete|strip|replace))/, is: rewritesHistory }] }],
  ['rustc zig', { runs: { compiles: true } }],
  ['gfortran fpc nasm c++ tcc', { runs: { compiles: true } }],
];
