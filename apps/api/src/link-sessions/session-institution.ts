import { Inject, Injectable } from '@nestjs/common';
import type { ValidationIssue } from '../../../../domain/errors/api-errors.js';
import { combineRequestedProducts, requiredProducts } from '../../../../domain/link/products.js';
import { ApplicationRepository } from '../../../../prisma/applications/application.repository.js';
import {
  InstitutionRepository,
  type InstitutionRecord,
} from '../../../../prisma/institutions/institution.repository.js';
import type { InstitutionFilter } from '../../../../prisma/institutions/search-institutions.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { SessionRequest } from './create-link-session.request.js';
import { institutionEnvironments } from '../institutions/institution-environments.js';

/** The institution a session is asked for, if any, or what is wrong with it. */
export type AskedInstitution =
  | { institution: InstitutionRecord | null; issue: null }
  | { institution: null; issue: ValidationIssue };

/** Which institutions a session may have, and the one it was made for. Source: link-lifecycle 2.1. */
@Injectable()
export class SessionInstitution {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly applications: ApplicationRepository,
    private readonly institutions: InstitutionRepository,
  ) {}

  async countries(caller: Caller, body: SessionRequest): Promise<string[]> {
    const asked = [...new Set(body.settings?.countries ?? [])];
    if (asked.length > 0) return asked;
    const app = await this.applications.getApplication(caller.appId);
    if (app === null) throw new Error(`the app ${caller.appId} is gone`);
    return [app.country];
  }

  /** `addressOptional`: a way back from a bank's own pages is not asked for. */
  async asked(
    caller: Caller,
    body: SessionRequest,
    { addressOptional = false } = {},
  ): Promise<AskedInstitution> {
    // link-lifecycle 2.1: ignored with existing_link_id.
    if (body.institution_id === undefined || body.existing_link_id !== undefined)
      return { institution: null, issue: null };
    const filter = this.filter(caller, body, await this.countries(caller, body));
    const institution = await this.institutions.findAvailable(filter, body.institution_id);
    if (institution === null) {
      const known = await this.institutions.find(filter.environments, body.institution_id);
      const message =
        known === null
          ? 'There is no such institution.'
          : 'The institution is not available with these products, countries and providers.';
      return {
        institution: null,
        issue: { location: ['body', 'institution_id'], message, type: 'invalid' },
      };
    }
    return institution.login === 'oauth' && body.redirect_uri === undefined && !addressOptional
      ? { institution: null, issue: OAUTH_NEEDS_ADDRESS }
      : { institution, issue: null };
  }

  /** What keeps the institution of an existing link from serving this session; its country does not matter (link-lifecycle 8). */
  async issueOfRelink(
    caller: Caller,
    body: SessionRequest,
    institutionId: string,
    { addressOptional = false } = {},
  ): Promise<ValidationIssue | null> {
    const institution = await this.institutions.findAvailable(
      this.filter(caller, body, []),
      institutionId,
    );
    if (institution === null)
      return {
        location: ['body', 'existing_link_id'],
        message: 'The institution of the link is not available with these products and providers.',
        type: 'invalid',
      };
    return institution.login === 'oauth' && body.redirect_uri === undefined && !addressOptional
      ? OAUTH_NEEDS_ADDRESS
      : null;
  }

  private filter(
    caller: Caller,
    body: SessionRequest,
    countries: readonly string[],
  ): InstitutionFilter {
    return {
      environments: institutionEnvironments(caller.environment, this.settings.sandboxBanksInLive),
      countries,
      providers: body.settings?.providers ?? [],
      requiredProducts: requiredProducts(
        combineRequestedProducts({
          products: body.settings?.products,
          productsSettings: body.products_settings,
        }),
      ),
      oauthPossible: true,
    };
  }
}

/** link-lifecycle 2.1, `redirect_uri`. */
export const OAUTH_NEEDS_ADDRESS: ValidationIssue = {
  location: ['body', 'redirect_uri'],
  message: 'The institution logs in by OAuth, which needs a redirect_uri.',
  type: 'missing',
};
