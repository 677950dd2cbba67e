import {
  BeforeToolCall,
  block,
  grantApproval,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  Stop,
} from '@hooks/core';

export type PolicyName =
  | 'none'
  | 'looks on'
  | 'requires approval'
  | 'rewrites a'
  | 'rewrites edited'
  | 'blocks'
  | 'grants'
  | 'continues after First.'
  | 'continues until Done.';

type Policy = (hooks: Hooks) => unknown;

/** Hooks by name: a name is all that another process can be told of them. */
export const policies: Readonly<Record<PolicyName, Policy>> = {
  none: (hooks) => hooks.clear(),
  'looks on': (hooks) => hooks.on(BeforeToolCall, () => proceed()),
  'requires approval': (hooks) => hooks.on(BeforeToolCall, () => requireApproval('It is dear.')),
  'rewrites a': rewriting('a'),
  'rewrites edited': rewriting('edited'),
  blocks: (hooks) => hooks.guard(BeforeToolCall, () => block('No longer.')),
  'continues after First.': (hooks) =>
    hooks.on(Stop, ({ response }) => (response === 'First.' ? retry('Not first.') : proceed())),
  'continues until Done.': (hooks) =>
    hooks.on(Stop, ({ response }) =>
      response === 'Done.' ? proceed() : retry(`Not ${response.toLowerCase()}`),
    ),
  grants: (hooks) => hooks.on(PermissionRequest, () => grantApproval('All is free.')),
};

function rewriting(path: string): Policy {
  return (hooks) =>
    hooks.on(BeforeToolCall, ({ input }) =>
      Object(input).path === path ? modify({ input: { path: 'other' } }) : proceed(),
    );
}
