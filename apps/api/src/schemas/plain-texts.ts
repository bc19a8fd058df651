import type { z } from 'zod';
import { UNSTORABLE } from './text.schema.js';

/** Control characters other than tabs and line breaks. A terminal that shows them would obey them. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** A refinement of an object: no text in it, at any depth, has control characters. Source: native-api 1.4. */
export function plainTexts(value: object, context: z.core.$RefinementCtx): void {
  const visit = (each: unknown, path: (string | number)[]): void => {
    if (typeof each === 'string') {
      if (CONTROL.test(each)) context.addIssue({ code: 'custom', path, message: UNSTORABLE });
    } else if (isPlainObject(each)) {
      for (const [name, member] of Object.entries(each)) visit(member, [...path, name]);
    }
  };
  visit(value, []);
}

/** Not a decimal, which has no text of the caller. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
