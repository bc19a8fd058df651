import { Inject, Injectable } from '@nestjs/common';
import { ApiError, validationFailed, type ValidationIssue } from '../../../../domain/api-errors.js';
import { combineRequestedProducts, PRODUCTS, type Product, type RequestedProducts } from '../../../../domain/products.js';
import { badState } from '../../../../domain/api-errors.js';
import type { Application } from '../../../../prisma/generated/client.js';
import { ApplicationRepository } from '../../../../prisma/repositories/application.repository.js';
import { InstitutionRepository, type InstitutionFilter } from '../../../../prisma/repositories/institution.repository.js';
import { LinkSessionRepository, type NewSession } from '../../../../prisma/repositories/link-session.repository.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import { LinkAccess } from '../links/link-access.js';
import { CONNECT_FEATURES, readConnectFeatures, type ConnectFeature } from './connect-features.js';
import type { CreateLinkSessionBody } from './create-link-session.request.js';
import { isRedirectAllowed, redirectUriProblem } from './redirect-uri.js';
import { institutionEnvironments } from './session-environments.js';

/** Makes a link session after checking what the app asks for, in the order of native-api 1.3. Source: link-lifecycle 2. */
@Injectable()
export class CreateLinkSession {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly applications: ApplicationRepository,
    private readonly institutions: InstitutionRepository,
    private readonly sessions: LinkSessionRepository,
    private readonly links: LinkAccess,
  ) {}

  /** @throws ApiError */
  async create(caller: Caller, body: CreateLinkSessionBody): Promise<{ token: string; expiresAt: Date }> {
    const app = await this.applications.getApplication(caller.appId);
    if (app === null) throw new Error(`the app ${caller.appId} is gone`);
    const products = combineRequestedProducts({ products: body.settings?.products, productsSettings: body.products_settings });
    const features = readConnectFeatures(body.connect_features ?? {});
    const countries = countriesOf(body, app);
    const issues = [...this.checkAddresses(caller, body), ...checkSandboxFields(caller, body), ...(await this.checkProviders(body))];
    if (issues.length > 0) throw validationFailed(issues);
    const institutionId = body.existing_link_id === undefined ? await this.checkInstitution(caller, body, products, countries) : null;

    if (body.world_id !== undefined && body.world_id !== 'default') throw new ApiError('sandbox_error.not_found');
    if (body.existing_link_id !== undefined) await this.refuseRelink(caller, body.existing_link_id);
    checkEntitlements(caller, body, app, features);

    return this.sessions.create(caller, {
      customerUser: { id: body.customer_user.id, email: body.customer_user.email ?? null, phone: body.customer_user.phone ?? null },
      mode: 'link',
      existingLinkId: null,
      presetInstitutionId: institutionId,
      products,
      countries,
      providers: [...new Set(body.settings?.providers ?? [])],
      features,
      theme: body.settings?.theme ?? null,
      redirectUri: body.redirect_uri ?? null,
      webhook: body.webhook ?? null,
      tags: body.tags ?? [],
      worldId: body.world_id ?? 'default',
    } satisfies NewSession);
  }

  private checkAddresses(caller: Caller, body: CreateLinkSessionBody): ValidationIssue[] {
    const redirect = body.redirect_uri === undefined ? null : redirectUriProblem(body.redirect_uri, caller.environment);
    const webhook = typeof body.webhook === 'string' ? checkWebhookUrl(body.webhook, caller.environment, this.settings.webhookAllowedPrivateRanges) : null;
    return [...(redirect === null ? [] : [{ location: ['body', 'redirect_uri'], message: redirect, type: 'invalid' }]), ...(webhook === null ? [] : [webhook])];
  }

  private async checkProviders(body: CreateLinkSessionBody): Promise<ValidationIssue[]> {
    const asked = body.settings?.providers ?? [];
    if (asked.length === 0) return [];
    const known = new Set(await this.institutions.providerNames());
    return asked.flatMap((name, index) => (known.has(name) ? [] : [{ location: ['body', 'settings', 'providers', index], message: 'There is no such provider.', type: 'invalid' }]));
  }

  /** The institution's own id, or null when none is asked for. */
  private async checkInstitution(caller: Caller, body: CreateLinkSessionBody, products: RequestedProducts, countries: readonly string[]): Promise<string | null> {
    if (body.institution_id === undefined) return null;
    const filter: InstitutionFilter = {
      environments: institutionEnvironments(caller.environment, this.settings.sandboxBanksInLive),
      countries,
      providers: body.settings?.providers ?? [],
      requiredProducts: requiredOf(products),
      oauthPossible: true,
    };
    const institution = await this.institutions.findAvailable(filter, body.institution_id);
    if (institution === null) {
      const known = await this.institutions.find(filter.environments, body.institution_id);
      const message = known === null ? 'There is no such institution.' : 'The institution is not available with these products, countries and providers.';
      throw validationFailed([{ location: ['body', 'institution_id'], message, type: 'invalid' }]);
    }
    if (institution.login === 'oauth' && body.redirect_uri === undefined) {
      throw validationFailed([{ location: ['body', 'redirect_uri'], message: 'The institution logs in by OAuth, which needs a redirect_uri.', type: 'missing' }]);
    }
    return institution.institutionId;
  }

  /** link-lifecycle 8: says first what is wrong with the link itself. */
  private async refuseRelink(caller: Caller, linkId: string): Promise<never> {
    const link = await this.links.findLiving(caller, linkId);
    if (link.state === 'connecting' || link.state === 'awaiting_token_exchange') throw badState({ state: link.state, error: link.errorCode });
    throw new ApiError('link_session_error.forbidden_config', { message: 'This version cannot re-authenticate an existing link yet.' });
  }
}

function countriesOf(body: CreateLinkSessionBody, app: Application): string[] {
  const asked = [...new Set(body.settings?.countries ?? [])];
  return asked.length > 0 ? asked : [app.country];
}

function requiredOf(products: RequestedProducts): Product[] {
  return PRODUCTS.filter((product) => products[product]?.required === true);
}

function checkSandboxFields(caller: Caller, body: CreateLinkSessionBody): ValidationIssue[] {
  if (caller.environment === 'sandbox') return [];
  return (['custom_sandbox_data', 'world_id'] as const)
    .filter((name) => body[name] !== undefined)
    .map((name) => ({ location: ['body', name], message: 'This exists in Sandbox only.', type: 'invalid' }));
}

function checkEntitlements(caller: Caller, body: CreateLinkSessionBody, app: Application, features: Record<ConnectFeature, boolean>): void {
  if (body.redirect_uri !== undefined && !isRedirectAllowed(body.redirect_uri, app.redirectOrigins, caller.environment)) {
    throw new ApiError('link_session_error.forbidden_config', { message: 'The redirect_uri is not on the list of this app.' });
  }
  const missing = CONNECT_FEATURES.find((name) => features[name] && !app.features.includes(name));
  if (missing !== undefined) throw new ApiError('link_session_error.forbidden_config', { message: `The app is not entitled to the feature ${missing}.` });
}
