import type * as Zod from 'zod';

/** What a schema expected, in our words. Undefined: the schema's own words stay. */
export function expectedBy(issue: Zod.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin !== 'number' && issue.origin !== 'int')
        return `expected ${kindOf(issue.origin)} that is not empty`;
      return `expected a number ${issue.inclusive ? 'of at least' : 'above'} ${issue.minimum}`;
    case 'too_big':
      return `expected a number ${issue.inclusive ? 'of at most' : 'below'} ${issue.maximum}`;
    case 'invalid_union':
      return 'the value has none of the expected forms';
    default:
      return undefined;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

function kindOf(expected: string): string {
  return KINDS[expected] ?? 'another kind of value';
}
