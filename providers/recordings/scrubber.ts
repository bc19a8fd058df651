import { createHmac, randomBytes } from 'node:crypto';
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json';
import { parseUrl } from '../../domain/addresses/parse-url.js';

/** The parts of a source's responses that are kept. Everything else is replaced. */
export interface ScrubRules {
  /** Values that stay if they match, by the name of their member: codes, days, currencies. */
  kept: Readonly<Record<string, RegExp>>;
  /** Members with amounts as text: their digits are replaced, sign and decimal places stay. */
  amounts: readonly string[];
}

const MARK = /^scrubbed-[0-9a-f]{12}$/;
const MARKED_ADDRESS = /^https:\/\/scrubbed-[0-9a-f]{12}\.example(\/x){0,20}$/;
const DECIMAL = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
const MARKED_NUMBER = /^-?7+(\.7+)?([eE][+-]?7+)?$/;
/** Three digits may be an id. */
const NAME = /^(?!.*\d{3})[A-Za-z][\w-]{0,60}$/;

/**
 * Replaces data about people and operators in responses. Equal values become equal ones, by a key
 * that is not kept anywhere, so that values cannot be guessed and verified.
 */
export class Scrubber {
  private readonly key = randomBytes(32);

  constructor(private readonly rules: ScrubRules) {}

  /** @returns an empty text for a body that is not JSON */
  body(text: string, { maxItems = Infinity }: { maxItems?: number } = {}): string {
    let content: unknown;
    try {
      content = parse(text);
    } catch {
      return '';
    }
    return stringify(this.value(content, '', maxItems)) ?? '';
  }

  /** A name, an id or an address in the form that `unscrubbedIn` recognizes. */
  text(value: string): string {
    const mark = `scrubbed-${createHmac('sha256', this.key).update(value).digest('hex').slice(0, 12)}`;
    const url = /^https?:\/\/[^/]/.test(value) ? parseUrl(value) : null;
    if (url === null) return mark;
    const segments = url.pathname.split('/').filter((segment) => segment !== '');
    return `https://${mark}.example${'/x'.repeat(Math.min(segments.length, 20))}`;
  }

  value(value: unknown, member = '', maxItems = Infinity): unknown {
    if (Array.isArray(value))
      return value.slice(0, maxItems).map((item) => this.value(item, member, maxItems));
    if (isLosslessNumber(value))
      return isKept(this.rules, member, value.value)
        ? value
        : new LosslessNumber(withoutDigits(value.value));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => NAME.test(name))
          .map(([name, item]) => [name, this.value(item, name, maxItems)]),
      );
    if (typeof value !== 'string' || value === '' || isKept(this.rules, member, value))
      return value;
    return this.rules.amounts.includes(member) && DECIMAL.test(value)
      ? withoutDigits(value)
      : this.text(value);
  }
}

const withoutDigits = (number: string): string => number.replace(/\d/g, '7');

const isKept = ({ kept }: ScrubRules, member: string, text: string): boolean =>
  Object.hasOwn(kept, member) && (kept[member]?.test(text) ?? false);

/** The places where a body contains values that `Scrubber` would have replaced. */
export function unscrubbedIn(body: string, rules: ScrubRules): string[] {
  if (body === '') return [];
  try {
    return [...strays(parse(body), rules, '', '')];
  } catch {
    return ['(no JSON)'];
  }
}

function* strays(
  value: unknown,
  rules: ScrubRules,
  member: string,
  path: string,
): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* strays(item, rules, member, path);
  } else if (isLosslessNumber(value)) {
    if (!isKept(rules, member, value.value) && !MARKED_NUMBER.test(value.value)) yield path;
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value))
      if (NAME.test(name)) yield* strays(item, rules, name, `${path}.${name}`);
      else yield `${path}.(a name with digits)`;
  } else if (typeof value === 'string' && value !== '') {
    const isAmount = rules.amounts.includes(member) && MARKED_NUMBER.test(value);
    const isMarked = MARK.test(value) || MARKED_ADDRESS.test(value);
    if (!isMarked && !isAmount && !isKept(rules, member, value)) yield path;
  }
}
