import type { ValidationIssue } from '../../../../../domain/errors/api-errors.js';
import { elementsOf, type InputLimits } from './input-limits.js';
import { isLongerThan, storable, UNSTORABLE } from '../../schemas/text.schema.js';
import type { Part } from './validation-issues.js';

export interface InputIssues {
  /** Values beyond a size limit, whose contents are not inspected. */
  size: ValidationIssue[];
  /** Text that cannot be stored, anywhere in the input. */
  text: ValidationIssue[];
}

type Inspected = Pick<InputLimits, 'name' | 'elements' | 'arrays' | 'text'>;

/**
 * Inspects a whole input, known and unknown fields, before any schema does. Depth, number of
 * values and members per object were limited before it was parsed.
 */
export function inspectInput(part: Part, input: unknown, limits: Inspected): InputIssues {
  const issues: InputIssues = { size: [], text: [] };
  const location: (string | number)[] = [part];
  const add = (kind: keyof InputIssues, message: string, type: string): void => {
    issues[kind].push({ location: [...location], message, type });
  };
  const enter = (key: string | number, value: unknown, elements: number): void => {
    location.push(key);
    visit(value, elements);
    location.pop();
  };
  const visit = (value: unknown, elements: number): void => {
    if (typeof value === 'string') return visitText(value);
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) visitArray(value, elements);
    else visitObject(value as Record<string, unknown>);
  };
  const visitText = (text: string): void => {
    if (isLongerThan(text, limits.text))
      add('text', `Must have at most ${limits.text} characters.`, 'too_big');
    else if (!storable(text)) add('text', UNSTORABLE, 'invalid');
  };
  const visitArray = (array: readonly unknown[], elements: number): void => {
    if (array.length > elements) {
      add('size', `Must have at most ${elements} elements.`, 'too_big');
      return;
    }
    array.forEach((element, index) => enter(index, element, limits.elements));
  };
  const visitObject = (object: Record<string, unknown>): void => {
    for (const name of Object.keys(object)) {
      if (name.length > limits.name) {
        add('size', `Has a member whose name is longer than ${limits.name} characters.`, 'too_big');
        continue;
      }
      // The name itself is invalid, so the issue points at the object.
      if (!storable(name)) add('text', UNSTORABLE, 'invalid');
      enter(name, object[name], elementsOf(limits, name));
    }
  };
  visit(input, limits.elements);
  return issues;
}
