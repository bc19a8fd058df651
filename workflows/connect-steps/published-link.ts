import { upsertSearchAttributes } from '@temporalio/workflow';
import type { StartedLogin } from '../../activities/linking/session-state.js';
import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { describeRoute } from '../../domain/institutions/route-summary.js';
import type { LinkError, LinkState } from '../../domain/link/link-state.js';
import type { CurrentDetails } from '../details/current-details.js';
import { linkAttributes, NO_LINK, SEARCH_ATTRIBUTES } from '../search-attributes.js';

/** The link of a session, as published to operators in the search attributes and details. */
export class PublishedLink {
  /** A link was published, by its id. */
  isNamed = false;

  constructor(private readonly details: CurrentDetails) {}

  /** The link of a relink keeps its state until the relink succeeds. */
  publishLogin(login: StartedLogin, { isRelink }: { isRelink: boolean }): void {
    this.isNamed = true;
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.linkId, value: login.linkId },
      { key: SEARCH_ATTRIBUTES.institutionId, value: login.institutionId },
      { key: SEARCH_ATTRIBUTES.provider, value: login.provider },
      ...(isRelink ? [] : linkAttributes({ state: 'connecting', error: null })),
    ]);
    const { institutionId: institution, provider, route } = login;
    const note = route === undefined ? null : describeRoute(login, route);
    this.details.at({ institution, provider, note });
  }

  publishExtension(link: { linkId: string; state: LinkState; error: LinkError | null }): void {
    this.isNamed = true;
    upsertSearchAttributes([
      { key: SEARCH_ATTRIBUTES.linkId, value: link.linkId },
      ...linkAttributes(link),
    ]);
  }

  publishFailure(cause: ProviderCause): void {
    upsertSearchAttributes(
      linkAttributes({ state: 'error', error: FAILURE_MEANINGS[cause].linkError }),
    );
  }

  clear(): void {
    this.details.at({});
    upsertSearchAttributes(NO_LINK);
  }
}
