import { analyzeCommand, judge, presets } from '@hooks/shell-safety';

const { effects } = analyzeCommand(
  'curl -so app.tgz https://example.com/app.tgz && tar xzf app.tgz && git clean -fd',
);
for (const { kind, program, path, host, danger } of effects) {
  if (kind !== 'execute' || danger)
    console.log(kind, program, path ?? host ?? danger?.rule);
}

// A policy is data: the least severity that is refused in each category.
const { 'lost-work': _, ...refuse } = presets.recommended.refuse;
console.log(judge(effects)?.rule, judge(effects, { refuse })?.rule);
