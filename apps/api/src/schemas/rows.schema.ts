import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { OWN_MESSAGES } from './issue-messages.js';

/** Rows checked before other requests get a turn. */
const SLICE = 100;
/** Rows that are mostly invalid need not be read to the end. */
const ENOUGH_ISSUES = 200;

interface RowLimits {
  min: number;
  max: number;
  /** Message of the issue for too few rows. */
  tooFew?: string;
}

/**
 * An array of many rows, or of a few large ones. Checking it must not delay other callers, so
 * inputs longer than one slice need `safeParseAsync`.
 */
export function rows<Row extends z.ZodType>(row: Row, { min, max, tooFew }: RowLimits) {
  const listed = <Element extends z.ZodType>(element: Element) => {
    const limited = z.array(element).max(max);
    return min === 0 ? limited : limited.min(min, tooFew);
  };
  return listed(z.unknown())
    .transform((given, { issues }) => {
      const checked: z.output<Row>[] = [];
      const check = (value: unknown, index: number): void => {
        const result = row.safeParse(value, OWN_MESSAGES);
        if (result.success) checked.push(result.data);
        else for (const issue of result.error.issues) issues.push(placedAt(index, issue));
      };
      const checkFrom = (start: number): z.output<Row>[] | Promise<z.output<Row>[]> => {
        const end = Math.min(start + SLICE, given.length);
        for (let index = start; index < end; index += 1) {
          if (issues.length >= ENOUGH_ISSUES) return checked;
          check(given[index], index);
        }
        return end === given.length ? checked : setImmediate().then(() => checkFrom(end));
      };
      return checkFrom(0);
    })
    .meta({ openapi: listed(row) });
}

function placedAt(index: number, issue: z.core.$ZodIssue): z.core.$ZodRawIssue {
  return { ...issue, input: issue.input, path: [index, ...issue.path] } as z.core.$ZodRawIssue;
}
