import type { ValidationIssue } from '../../../../../domain/errors/api-errors.js';
import type { InputLimits } from './input-limits.js';
import { measureJson } from './measure-json.js';
import type { Part } from './validation-issues.js';

/** The content of a part of a request, or the reason that it was not parsed. */
export type Reading = { value: unknown } | { issue: ValidationIssue };

const tooMuch = (part: Part, message: string): Reading => ({
  issue: { location: [part], message, type: 'too_big' },
});

export function readJson(bytes: Buffer, limits: InputLimits): Reading {
  const { depth, values, members } = measureJson(bytes);
  if (depth > limits.depth) {
    return tooMuch('body', `Must be nested at most ${limits.depth} levels deep.`);
  }
  if (values > limits.values) return tooMuch('body', `Must hold at most ${limits.values} values.`);
  if (members > limits.members) {
    return tooMuch('body', `Must hold no object of more than ${limits.members} members.`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) as unknown };
  } catch {
    const message = 'The body is not valid JSON.';
    return { issue: { location: ['body'], message, type: 'json_invalid' } };
  }
}

export function readQuery(text: string, limits: InputLimits): Reading {
  if (text.length > limits.queryBytes) {
    return tooMuch('query', `Must hold at most ${limits.queryBytes} bytes.`);
  }
  return readParameters('query', text, limits);
}

/** A parameter that appears once is a string; one that is repeated is an array of strings. */
export function readParameters(part: Part, text: string, limits: InputLimits): Reading {
  const found = Object.create(null) as Record<string, string | string[]>;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > limits.parameters) {
      return tooMuch(part, `Must hold at most ${limits.parameters} parameters.`);
    }
    const earlier = found[name];
    if (earlier === undefined) found[name] = value;
    else if (typeof earlier === 'string') found[name] = [earlier, value];
    else earlier.push(value);
  }
  return { value: found };
}
