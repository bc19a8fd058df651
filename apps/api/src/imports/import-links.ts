import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badState,
  invalid,
  validationFailed,
} from '../../../../domain/errors/api-errors.js';
import type { Tenant } from '../../../../domain/api/environment.js';
import { storedProvider } from '../../../../domain/link/provider-name.js';
import { TrialLimitReached } from '../../../../domain/link/trial-limit.js';
import type { AfterEffect } from '../../../../prisma/base/database/after-effect.js';
import {
  ImportRepository,
  type MoreRows,
} from '../../../../prisma/links/transactions/import.repository.js';
import {
  InstitutionRepository,
  type InstitutionRecord,
} from '../../../../prisma/sources/institutions/institution.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import { NO_PROVIDER } from '../../../../prisma/work/providers/provider-configuration.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { institutionEnvironments } from '../institutions/institution-environments.js';
import { LinkAccess } from '../links/link-access.js';
import { unknownAccount } from './check-import.js';
import type { ImportLinkBody } from './import.requests.js';

/** Imports links and transactions from another service. Source: link-lifecycle 11. */
@Injectable()
export class ImportLinks {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly imports: ImportRepository,
    private readonly institutions: InstitutionRepository,
    private readonly access: LinkAccess,
  ) {}

  /** `bytes`: the size of the request. `andThen` ends the transaction. @throws ApiError, BoundReached */
  async importLink(
    caller: Caller,
    { customer_user: user, institution_id: named, ...body }: ImportLinkBody,
    bytes: number,
    andThen?: AfterEffect<LinkView>,
  ): Promise<LinkView> {
    const institution = await this.institution(caller, named);
    if (institution === null) throw new ApiError('institution_error.not_found');
    const { accounts, transactions, tags, webhook = null } = body;
    const provider = body.provider == null ? null : storedProvider(body.provider, this.settings);
    try {
      return await this.imports.importLink(
        caller,
        {
          clientId: caller.clientId,
          customerUser: { id: user.id, email: user.email ?? null, phone: user.phone ?? null },
          institutionId: institution.institutionId,
          provider: providerOf(institution, provider),
          accounts,
          transactions,
          tags,
          webhook,
          bytes,
        },
        andThen,
      );
    } catch (error) {
      // link-lifecycle 11: an imported Live link counts.
      if (!(error instanceof TrialLimitReached)) throw error;
      throw new ApiError('link_session_error.forbidden_config', {
        message: 'The trial limit is reached: this client has as many Live links as it may have.',
      });
    }
  }

  /** `andThen` ends the transaction. @throws ApiError, BoundReached */
  async importTransactions(
    tenant: Tenant,
    linkId: string,
    rows: MoreRows,
    andThen?: AfterEffect<LinkView>,
  ): Promise<LinkView> {
    await this.access.findLiving(tenant, linkId);
    const outcome = await this.imports.importTransactions(tenant, linkId, rows, andThen);
    switch (outcome.kind) {
      case 'imported':
        return outcome.link;
      case 'gone':
        throw new ApiError('link_error.deleted');
      case 'not_imported':
        throw new ApiError('link_error.forbidden_action', {
          message: 'Transactions can be imported only into an imported link.',
        });
      case 'bad_state':
        throw badState(outcome);
      case 'unknown_accounts':
        throw validationFailed(outcome.rows.map(unknownAccount));
    }
  }

  /** Accepts one of our ids or aliases, or `provider.their_id`, which also names the provider. */
  private async institution(
    { environment }: Caller,
    named: string,
  ): Promise<NamedInstitution | null> {
    const environments = institutionEnvironments(environment, this.settings.sandboxBanksInLive);
    const ours = await this.institutions.find(environments, named);
    if (ours !== null) return { ...ours, provider: null };
    const dot = named.indexOf('.');
    const provider = storedProvider(named.slice(0, Math.max(0, dot)), this.settings);
    const theirs =
      dot < 0
        ? null
        : await this.institutions.findByRoute(environments, provider, named.slice(dot + 1));
    return theirs === null ? null : { ...theirs, provider };
  }
}

interface NamedInstitution extends Pick<InstitutionRecord, 'institutionId' | 'routes'> {
  /** The provider that a dotted id names. */
  provider: string | null;
}

/**
 * native-api 4.9: a provider with a route to the institution; links without one have `import`.
 * @throws ApiError
 */
function providerOf({ routes, provider }: NamedInstitution, named: string | null): string {
  if (named === null) return provider ?? NO_PROVIDER;
  if (named === NO_PROVIDER || routes.some((route) => route.provider === named)) return named;
  throw validationFailed([
    invalid(['body', 'provider'], 'The institution has no route through this provider.'),
  ]);
}
