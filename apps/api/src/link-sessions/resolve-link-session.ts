import { Inject, Injectable } from '@nestjs/common';
import {
  invalid,
  validationFailed,
  type ValidationIssue,
} from '../../../../domain/errors/api-errors.js';
import { combineRequestedProducts, requiredProducts } from '../../../../domain/link/products.js';
import { ApplicationRepository } from '../../../../prisma/tenants/applications/application.repository.js';
import {
  InstitutionRepository,
  type InstitutionRecord,
} from '../../../../prisma/sources/institutions/institution.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { institutionEnvironments } from '../institutions/institution-environments.js';
import type { SessionRequest } from './create-link-session.request.js';
import type { LinkSessionPlan } from './link-session-plan.js';

/** Resolves the references of a session request. Source: link-lifecycle 2.1. */
@Injectable()
export class ResolveLinkSession {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly applications: ApplicationRepository,
    private readonly institutions: InstitutionRepository,
  ) {}

  /**
   * `addressOptional`: institutions that log in by OAuth need no redirect_uri.
   * @throws ApiError when the session cannot use the requested institution
   */
  async resolve(
    caller: Caller,
    request: SessionRequest,
    { addressOptional = false } = {},
  ): Promise<LinkSessionPlan> {
    const app = await this.applications.getApplication(caller.appId);
    if (app === null) throw new Error(`the app ${caller.appId} is gone`);
    const products = combineRequestedProducts({
      products: request.settings?.products,
      productsSettings: request.products_settings,
    });
    const requested = [...new Set(request.settings?.countries ?? [])];
    const countries = requested.length > 0 ? requested : [app.country];
    const isRelink = request.existing_link_id !== undefined;
    const usable = {
      tenant: caller,
      environments: institutionEnvironments(caller.environment, this.settings.sandboxBanksInLive),
      // link-lifecycle 8: the country of a link's institution does not matter in a relink.
      countries: isRelink ? [] : countries,
      providers: request.settings?.providers ?? [],
      requiredProducts: requiredProducts(products),
      oauthPossible: request.redirect_uri !== undefined || addressOptional,
      hiddenToo: isRelink,
    };
    const plan = { request, app, products, countries, institution: null, usable };
    // link-lifecycle 2.1: institution_id is ignored with existing_link_id.
    if (request.institution_id === undefined || isRelink) return plan;
    return { ...plan, institution: await this.preset(plan, request.institution_id) };
  }

  /** @throws ApiError when the institution of an existing link cannot serve the session */
  async requireForRelink(plan: LinkSessionPlan, institutionId: string): Promise<void> {
    if ((await this.findUsable(plan, institutionId)) === null)
      throw validationFailed([RELINK_UNAVAILABLE]);
  }

  private async preset(plan: LinkSessionPlan, id: string): Promise<InstitutionRecord> {
    const institution = await this.findUsable(plan, id);
    if (institution !== null) return institution;
    const known = await this.institutions.find(plan.usable.environments, id);
    throw validationFailed([known === null ? UNKNOWN : UNAVAILABLE]);
  }

  private async findUsable(
    { usable }: LinkSessionPlan,
    id: string,
  ): Promise<InstitutionRecord | null> {
    const found = await this.institutions.findAvailable(usable, id);
    if (found !== null || usable.oauthPossible) return found;
    const other = await this.institutions.findAvailable({ ...usable, oauthPossible: true }, id);
    if (other !== null) throw validationFailed([OAUTH_NEEDS_ADDRESS]);
    return null;
  }
}

/** The problem of a request whose institution became unavailable after planning. */
export function unavailableIssue({ request }: LinkSessionPlan): ValidationIssue {
  return request.existing_link_id === undefined ? UNAVAILABLE : RELINK_UNAVAILABLE;
}

const UNKNOWN = invalid(['body', 'institution_id'], 'Institution not found.');

const UNAVAILABLE = invalid(
  ['body', 'institution_id'],
  'The institution is not available with these products, countries and providers.',
);

const RELINK_UNAVAILABLE = invalid(
  ['body', 'existing_link_id'],
  'The institution of the link is not available with these products and providers.',
);

/** link-lifecycle 2.1, `redirect_uri`. */
const OAUTH_NEEDS_ADDRESS: ValidationIssue = {
  location: ['body', 'redirect_uri'],
  message: 'The institution logs in by OAuth, which needs a redirect_uri.',
  type: 'missing',
};
