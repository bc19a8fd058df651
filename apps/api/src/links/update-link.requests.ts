import { z } from 'zod';
import { aliasedBy, otherNameOf, tags, webhook } from '../schemas/link-settings.schema.js';

const request = z.preprocess(
  aliasedBy({ tags: 'link_tags' }),
  z
    .object({
      webhook: webhook
        .optional()
        .describe('The address for the webhooks of the link; null removes it.'),
      tags: tags.optional().describe('Labels that replace the present ones.'),
      link_tags: tags.optional().describe(otherNameOf('tags')),
    })
    .transform(({ link_tags: linkTags, ...given }) => ({
      webhook: given.webhook,
      tags: given.tags ?? linkTags,
    })),
);

/** Missing = unchanged. Source: native-api 3.4. */
export const UpdateLinkRequest = { body: request };
export type UpdateLinkBody = z.output<typeof request>;
