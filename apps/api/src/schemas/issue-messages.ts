import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const MAX_LISTED = 40;
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'elements' };

/**
 * The message of an issue whose schema has none of its own, in the words of this API: those of the library name its
 * types and change with it.
 */
function messageOf(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Is required.'
        : `Must be ${TYPES[issue.expected] ?? 'a value of another type'}.`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_small':
      return atLeast(issue);
    case 'too_big':
      return atMost(issue);
    case 'invalid_format':
      return issue.format === 'guid' || issue.format === 'uuid'
        ? 'Must be a UUID.'
        : 'Has another form than the API reference describes.';
    case 'invalid_union':
      return Array.isArray(issue['options']) && issue['options'].length > 0
        ? oneOf(issue['options'])
        : 'Matches none of the forms that the API reference describes.';
    case 'invalid_key':
    case 'invalid_element':
    case 'unrecognized_keys':
      return 'Has a member that the API reference does not describe.';
    default:
      return 'Must have a value that the API reference describes.';
  }
}

function oneOf(values: readonly unknown[]): string {
  if (values.length > MAX_LISTED) return 'Must be one of the values that the API reference lists.';
  return values.length === 1
    ? `Must be ${String(values[0])}.`
    : `Must be one of ${values.map(String).join(', ')}.`;
}

function atLeast({ origin, minimum, inclusive }: RawIssue & { code: 'too_small' }): string {
  const unit = UNITS[origin];
  if (unit !== undefined) return `Must have at least ${minimum} ${unit}.`;
  return `Must be ${inclusive === false ? 'greater than' : 'at least'} ${minimum}.`;
}

function atMost({ origin, maximum, inclusive }: RawIssue & { code: 'too_big' }): string {
  const unit = UNITS[origin];
  if (unit !== undefined) return `Must have at most ${maximum} ${unit}.`;
  return `Must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}.`;
}

/** How input of callers is parsed: a message never repeats a value, which may be secret. */
export const OWN_MESSAGES = { reportInput: true, error: messageOf } as const;
