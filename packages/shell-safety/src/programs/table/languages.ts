// biome-ignore-all format: a row stands in one line, or each way to call a program does

import { shellOnSocket } from '../../rules/backdoors.ts';
import { disabledHook } from '../../rules/git-hooks.ts';
import { servesFolder } from '../../rules/sensitive-files.ts';
import type { Row } from '../program.ts';
import { changesSettings, destroys, rewritesHistory, scheduled, stopsMachine, takesSecret } from './ways.ts';

/** Shells and programs that run or compile a language. */
export const languages: readonly Row[] = [
  ['bash sh zsh dash ash ksh mksh rbash csh tcsh yash posh rc es sash bosh oksh loksh osh ysh elvish nu xonsh ion',
    { files: ['uses'], harmful: true, noOutput: true, runs: 'shell', rules: [shellOnSocket], prints: 'shell' },
  ],
  ['fish', { files: ['uses'], harmful: true, noOutput: true, runs: 'shell', setsVariables: true, rules: [shellOnSocket], prints: 'shell' }],
  ['node nodejs tsx ts-node zx', {
    files: ['uses'], harmful: true, prompts: true,
    runs: {
    code: 'ep', long: '--eval --print -pe', verbs: 'run', loads: '-r --require --import',
    valued: '-r --require --import --loader --experimental-loader -C --conditions --env-file --input-type --stack-trace-limit --inspect-port',
        },
    prints: 'code',
  }],
  ['go',
    changesSettings({ words: 'env', option: '-w', word: /^(?:GOPROXY=http:|GOFLAGS=.{0,80}-toolexec|GONOSUMDB=\*|GONOSUMCHECK=|GOINSECURE=)/ }),
    { files: ['uses'], namesPrograms: true, runs: { verbs: 'run' } },
  ],
  ['perl', { files: ['filters', 'edits'], harmful: true, runs: { code: 'eE', valued: '-I', loads: '-M' }, rules: [disabledHook], writes: 'in-place', prints: 'awk' }],
  ['ruby', {
    files: ['filters', 'edits'], harmful: true, runs: { code: 'e', loads: '-r', valued: '-r -I -C -E' }, rules: [servesFolder], writes: 'in-place',
    prints: 'code', serves: { says: /^httpd$/ },
  }],
  ['gcc cc clang g++ clang++', { files: ['shows'], namesPrograms: true, runs: { compiles: true } }],
  ['lua irb jruby pry luajit texlua raku ghc ocaml yosys lein', { prompts: true, runs: { code: 'e' }, prints: 'code' }],
  ['tclsh wish', { prompts: true, runs: { compiles: true }, forms: 'tcl' }],
  ['julia', { prompts: true, runs: { code: 'e' } }],
  ['osascript',
    stopsMachine({ argument: /\b(?:shut down|restart|log out|sleep)\b/i }),
    scheduled({ argument: /\bmake\b.{0,40}\blogin item\b/i }),
    destroys({ argument: /\bempty\b.{0,40}\btrash\b/i }),
    takesSecret({ argument: /\bthe clipboard\b|\bhidden answer\b/i }),
    { runs: { code: 'e' } },
  ],
  ['make', { namesPrograms: true, long: 'file makefile eval directory', runs: 'make', carries: { patterns: [/^SHELL=(.+)$/gs, /^\w+=(.*[;&|].*)$/gs, /^\.SHELLFLAGS=-\w*c\s+["']?([^"']+)/gs] } }],
  ['powershell pwsh', { runs: { long: '-c -command /c -com', windows: true }, rules: [shellOnSocket] }],
  ['iex invoke-expression', { runs: 'input' }],
  ['pypy ipython bpython ptpython scapy pdb', { runs: { code: 'c', module: 'm' }, carries: { patterns: [/^!{1,2}(.+)$/gs] } }],
  ['just', { recipes: 'justfile Justfile .justfile' }],
  ['foreman hivemind overmind honcho', { recipes: 'Procfile' }],
  ['task go-task', { recipes: 'Taskfile.yml Taskfile.yaml' }],
  ['pytest py.test', { recipes: 'conftest.py' }],
  ['gulp', { recipes: 'gulpfile.js' }],
  ['grunt', { recipes: 'Gruntfile.js' }],
  ['nox', { recipes: 'noxfile.py' }],
  ['tox', { recipes: 'tox.ini' }],
  ['invoke inv', { recipes: 'tasks.py' }],
  ['scons', { recipes: 'SConstruct' }],
  ['gnuplot', { runs: { code: 'e' }, carries: { patterns: [/\bsystem\s*(?:\(\s*)?["']([^"']+)/g, /^!(.+)$/gs, /["']<\s*([^"'\s][^"']*)["']/g] } }],
  ['dc bc', { prompts: true, told: true, carries: { patterns: [/^!(.+)$/gs] } }],
  ['deno crystal', { runs: { long: 'eval', verbs: 'run' } }],
  ['rscript r groovy scala kotlin clojure bb jrunscript jjs elixir swift racket', { runs: { code: 'e' } }],
  ['erl octave octave-cli sbcl', { runs: { long: '-eval --eval eval' } }],
  ['expect', { runs: { code: 'c' }, forms: 'tcl', carries: { patterns: [/\b(?:spawn|exec|system)\s+([^;\n]+)/g] } }],
  ['guile', { runs: { code: 'c' } }],
  ['v dart', { runs: { verbs: 'run' } }],
  ['nim', { runs: { code: 'e', verbs: 'e r' } }],
  ['puppet', { runs: { code: 'e', verbs: 'apply' } }],
  ['java jshell javac kotlinc', rewritesHistory({ argument: /bfg[^/]*\.jar$/, option: /^--(?:delete|strip|replace)/ }), { runs: { compiles: true } }],
  ['rustc zig gfortran fpc nasm c++ tcc', { runs: { compiles: true } }],
];
