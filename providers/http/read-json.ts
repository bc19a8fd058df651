import { parse } from 'lossless-json';

/**
 * Reads JSON without rounding: its numbers keep their text (`RemoteObject.decimalNumber`). A
 * repeated key with another value is refused.
 * @returns undefined for bytes that are not JSON
 */
export function readJson(bytes: ArrayBuffer): unknown {
  try {
    return parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Also covers nesting that is deeper than the stack.
    return undefined;
  }
}
