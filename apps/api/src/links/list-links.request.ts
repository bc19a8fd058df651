import { z } from 'zod';
import { LINK_ERRORS, LINK_STATES } from '../../../../domain/link/link-state.js';
import { storedProvider, type ProviderNames } from '../../../../domain/link/provider-name.js';
import { invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import {
  isUnlisted,
  UNLISTED_LINKS,
  type LinkFilter,
} from '../../../../prisma/links/link/link-filter.js';
import { linkError, linkState } from '../openapi/models/link.model.js';
import { tag, TAG } from '../schemas/link-settings.schema.js';
import {
  cursor,
  exactly,
  list,
  ofUser,
  oneOf,
  single,
  sortOrder,
  wholeNumber,
} from '../schemas/query.schema.js';
import { MOMENT, moment } from '../schemas/timestamp.schema.js';

const unlistedLinks = z.enum(UNLISTED_LINKS).meta({ id: 'UnlistedLinks' });

/** `fallback` = without `limit`. Versions before `2026-11-27` list only ids, and more of them. */
export const PAGE_SIZES = {
  links: { max: 500, fallback: 100 },
  ids: { max: 5_000, fallback: 1_000 },
} as const;

/** Source: native-api 3.4. */
export const ListLinks = {
  query: z
    .object({
      state: oneOf(LINK_STATES, linkState).describe(
        'Only links in this state, listed otherwise or not. Not with `updated_since`, unless it is `connected` or `error`.',
      ),
      error: oneOf(LINK_ERRORS, linkError).describe('Only links with this error.'),
      institution_id: exactly(200).describe('Only links at this institution.'),
      provider: exactly(100).describe('Only links of this provider.'),
      user: ofUser.describe('Only links of this `customer_user.id`.'),
      tag: single.pipe(tag).meta({ openapi: TAG }).optional().describe('Only links with this tag.'),
      updated_since: single
        .pipe(moment)
        .meta(MOMENT)
        .optional()
        .describe('Only links that were updated then or later, in the order of their updates.'),
      include: list
        .pipe(z.array(unlistedLinks).optional())
        .meta({ openapi: z.array(unlistedLinks) })
        .describe(
          'Also links that were never connected, or that were deleted in the last 90 days. Not with `updated_since`.',
        ),
      order: sortOrder,
      cursor,
      limit: wholeNumber({
        min: 1,
        max: PAGE_SIZES.ids.max,
        fallback: 0,
        documented: PAGE_SIZES.links,
      }).describe('Links of a page.'),
    })
    // No index has unlisted links in the order of their updates.
    .superRefine(({ state, include = [], updated_since }, context) => {
      if (updated_since === undefined) return;
      const wrong = [
        ...(include.length > 0 ? ['include'] : []),
        ...(isUnlisted(state) ? ['state'] : []),
      ];
      for (const name of wrong)
        context.addIssue({ code: 'custom', path: [name], message: 'Not with updated_since.' });
    }),
};

export function filterOf(
  query: z.output<typeof ListLinks.query>,
  names: ProviderNames,
): LinkFilter {
  const { state, error, institution_id: institutionId, user, tag, updated_since, include } = query;
  const provider = query.provider === undefined ? undefined : storedProvider(query.provider, names);
  return { state, error, institutionId, provider, user, tag, updatedSince: updated_since, include };
}

/** `given`: 0 = none. @throws ApiError above the limit of the version */
export function pageSize(given: number, { max, fallback }: { max: number; fallback: number }) {
  if (given > max)
    throw validationFailed([
      invalid(['query', 'limit'], `Must be a whole number from 1 to ${max}.`),
    ]);
  return given === 0 ? fallback : given;
}
