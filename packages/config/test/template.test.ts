import { describe, expect, test } from 'vitest';
import { readHookFile } from '../src/index.ts';
import { parseTemplate } from '../src/model/template.ts';

const data = {
  ToolName: 'shell',
  ToolInput: { cmd: 'ls <b>', list: [1, 2] },
  Prompt: 'äöü€😀x',
  Empty: '',
};

describe('the template of a model hook', () => {
  test.each([
    ['Tool: {{ .ToolName }}', 'Tool: shell'],
    ['{{.ToolName}}{{.ToolName}}', 'shellshell'],
    ['{{ .ToolInput.cmd }}', 'ls <b>'],
    ['{{ .ToolInput.nothing.here }}|', '|'],
    ['{{ toJSON .ToolInput.list }}', '[\n  1,\n  2\n]'],
    ['{{ .ToolInput.list | toJSON }}', '[\n  1,\n  2\n]'],
    ['{{ truncate 3 .Prompt }}', 'äöü…'],
    ['{{ .Prompt | truncate 5 }}', 'äöü€😀…'],
    ['{{ .Prompt | truncate 6 }}', 'äöü€😀x'],
    ['{{ .ToolInput | toJSON | truncate 4 }}', '{\n  …'],
    ['{{ truncate 4 (toJSON .ToolInput) }}', '{\n  …'],
    ['{{ "a \\"b\\"" }}{{ `c` }}{{ 1 }}', 'a "b"c1'],
    ['a  {{- .ToolName -}}  b', 'ashellb'],
    ['{{/* nothing */}}x{{- /* nothing */ -}} y', 'xy'],
    ['{{ if .Empty }}a{{ else if eq .ToolName "shell" }}b{{ else }}c{{ end }}d', 'bd'],
    ['{{ if not .Empty }}{{ if ne .ToolName "x" }}in{{ end }}{{ end }}', 'in'],
    ['{{ toJSON . }}', JSON.stringify(data, undefined, 2)],
    ['no template } { }}', 'no template } { }}'],
  ])('%s', (source, expected) => {
    expect(parseTemplate(source).render(data)).toBe(expected);
  });

  test.each([
    ['{{ .ToolName', '"{{" number 1 has no "}}"'],
    ['{{ if .A }}x', '"if" without "end"'],
    ['{{ toYAML .A }}', 'unknown function; expected one of: toJSON, truncate'],
    ['{{ range .A }}{{ end }}', 'unknown function; expected one of'],
    ['{{ truncate .A }}', 'truncate takes 2 arguments, not 1'],
    ['{{ .A | .B }}', 'what stands after | is not a function'],
    ['{{ (toJSON .A }}', '"(" has no ")"'],
    ['{{ }}', 'something is missing'],
    ['{{ .A ! }}', 'it cannot be read, in {{ }} number 1'],
    ['{{ end }}', 'unknown function'],
  ])('%s fails with the reason', (source, message) => {
    expect(() => parseTemplate(source)).toThrow(message);
  });

  test('a value is never parsed as a template', () => {
    const evil = { ToolName: '{{ .Secret }}', Secret: 'x' };
    expect(parseTemplate('{{ .ToolName }}').render(evil)).toBe('{{ .Secret }}');
  });

  test('an unknown field is an error in the file, with its position', () => {
    const { issues } = readHookFile(
      `hooks:
  before_tool_call:
    - type: model
      model: openai/gpt-4o-mini
      schema: pre_tool_use_decision
      prompt: |
        Tool: {{ .ToolNam }}
`,
      'hooks.yaml',
    );
    expect(issues).toMatchObject([
      {
        line: 6,
        path: 'hooks.before_tool_call[0].prompt',
        message: 'not a template: it names an unknown field (did you mean "ToolName"?), in {{ }} number 1',
      },
    ]);
  });
});
