import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { distinctTags, isTag, MAX_TAG_LENGTH, MAX_TAGS } from '../../../../domain/link/tags.js';
import { storable, text } from './text.schema.js';

/** native-api 1, "Body size". */
const MAX_ADDRESS_LENGTH = 2_048;

/**
 * The documentation of `tag`; schemas that pipe into it repeat this. Without a pattern: not every engine knows the
 * letters of all languages.
 */
export const TAG = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_TAG_LENGTH,
  description: 'Begins with a letter or digit.',
} as const;

/** Source: link-lifecycle 2.1. */
export const tag = z
  .string()
  .refine(
    (tag) => isTag(tag) && storable(tag),
    'Must have 1 to 99 characters and begin with a letter or digit.',
  )
  .meta({ id: 'Tag', openapi: TAG });

/** Source: link-lifecycle 2.1. */
export const tags = z
  .array(tag)
  .transform(distinctTags)
  .refine((values) => values.length <= MAX_TAGS, `Must hold at most ${MAX_TAGS} tags.`);

/**
 * Null removes the address. `checkWebhookUrl` checks its form, which depends on the environment.
 */
export const webhook = text(1, MAX_ADDRESS_LENGTH)
  .meta({
    openapi: {
      type: 'string',
      format: 'uri',
      minLength: 1,
      maxLength: MAX_ADDRESS_LENGTH,
      description:
        'An absolute https address that may receive webhooks: https at a public host, in Sandbox also http where the operator allows it.',
    },
  })
  .nullable();

/** The documentation of an alias, whose rule `aliasedBy` checks. */
export function otherNameOf(name: string): string {
  return `Alias of \`${name}\`: send only one of them, or the same value twice.`;
}

/** A preprocessor for bodies: an alias must not contradict its canonical name, and is dropped beside it. */
export function aliasedBy(
  aliases: Readonly<Record<string, string>>,
): (given: unknown, context: z.core.$RefinementCtx) => unknown {
  return (given, context) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
    const fields: Record<string, unknown> = { ...given };
    for (const [name, alias] of Object.entries(aliases)) {
      const [value, other] = [fields[name], fields[alias]];
      if (value === undefined || other === undefined) continue;
      if (!isDeepStrictEqual(value, other))
        context.addIssue({
          code: 'custom',
          path: [alias],
          message: `Alias of ${name}: send only one of them, or the same value twice.`,
        });
      delete fields[alias];
    }
    return fields;
  };
}
