import type { z } from 'zod';
import type { ApiErrorCode } from '../../../../domain/errors/api-errors.js';

/** What a call answers when it succeeds. */
export type Answer =
  /** JSON; the status is that of the route. */
  | { kind: 'json'; schema: z.ZodType; cacheable?: boolean }
  | { kind: 'media'; type: string; cacheable?: boolean }
  | { kind: 'nothing' }
  /** A browser is sent on, or shown a page. */
  | { kind: 'browser' };

/** What the document says of a call that its route does not know. */
export interface Operation {
  /** `resource.verb`; generated clients name their functions after it. */
  id: string;
  tag: string;
  summary: string;
  answer: Answer;
  /** Own errors, besides those that follow from the route (`errors-of-route.ts`). */
  errors?: readonly ApiErrorCode[];
  /** Refusals in the words of RFC 6749. */
  oauthErrors?: true;
  /** A media type of one answer that is no success and no error body, by status. */
  otherAnswers?: Readonly<Record<number, z.ZodType>>;
}

export const json = (schema: z.ZodType): Answer => ({ kind: 'json', schema });
