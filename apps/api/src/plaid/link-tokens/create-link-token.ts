import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { Country } from '../../../../../domain/institutions/countries.js';
import type { PlaidSession } from '../../../../../domain/plaid/plaid-session.js';
import {
  DEFAULT_PRODUCT_SETTINGS,
  type Product,
  type ProductSettings,
} from '../../../../../domain/link/products.js';
import { checkWebhookUrl } from '../../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import type { Caller } from '../../http/request-state.js';
import { hostedLink } from '../../connect/hosted/hosted-page.js';
import { connectFeatures } from '../../link-sessions/connect-features.schema.js';
import { CreateLinkSession } from '../../link-sessions/create-link-session.js';
import type { SessionRequest } from '../../link-sessions/create-link-session.request.js';
import {
  completionUriProblem,
  isRedirectAllowed,
  redirectUriProblem,
} from '../../link-sessions/redirect-uri.js';
import { ResolveLinkSession } from '../../link-sessions/resolve-link-session.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import { nativeInstitution, SANDBOX_COUNTRY } from '../shapes/institution-aliases.js';
import { ItemAccess } from '../access/item-access.js';
import { accountTypesOf } from './account-filter.js';
import type { CreateLinkTokenBody } from './link-token.requests.js';
import { requiredOf, optionalOf } from './requested-products.js';

const HOUR_MS = 3_600_000;
/** plaid-compat 2: lifetime of an unopened link_token. */
const UNOPENED_MS = { new: 4 * HOUR_MS, update: HOUR_MS / 2 };
const DEFAULT_URL_LIFETIME_SECONDS = 1_800;
/** native-api 3.7: the default history of a fetch. */
const USUAL_DAYS = 90;

type SettingsByProduct = Partial<Record<Product, Partial<ProductSettings>>>;

/** Creates a session for a link_token. Source: plaid-compat 6.1. */
@Injectable()
export class CreateLinkToken {
  constructor(
    private readonly sessions: CreateLinkSession,
    private readonly resolution: ResolveLinkSession,
    private readonly items: ItemAccess,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** @throws PlaidError, ApiError */
  async create(
    caller: Caller,
    body: CreateLinkTokenBody,
    ignoresUnoffered: boolean,
  ): Promise<{ token: string; expiresAt: Date; hostedUrl: string | null }> {
    this.checkAddresses(caller, body);
    const existing =
      body.access_token === undefined
        ? null
        : await this.items.findLiving(caller, body.access_token);
    const institution =
      body.institution_id === undefined
        ? null
        : nativeInstitution(body.institution_id, caller.environment);
    const isUpdate = existing !== null;
    const request: SessionRequest = {
      customer_user: { id: body.user.client_user_id, ...contactOf(body) },
      settings: {
        products: productsOf(body, { isUpdate, ignoresUnoffered }),
        countries: countriesOf(body.country_codes, institution?.country ?? null),
      },
      connect_features: connectFeatures.parse({}),
      redirect_uri: body.redirect_uri,
      webhook: isUpdate ? undefined : body.webhook,
      institution_id: isUpdate ? undefined : institution?.institutionId,
      existing_link_id: existing?.link.linkId,
      tags: undefined,
      products_settings: undefined,
      custom_sandbox_data: undefined,
      world_id: undefined,
    };
    const plan = await this.resolution
      .resolve(caller, request, { addressOptional: true })
      .catch(translateRefusal(request));
    const completion = body.hosted_link?.completion_redirect_uri;
    // The browser is sent to it, as to a redirect_uri.
    if (
      completion !== undefined &&
      !isRedirectAllowed(completion, plan.app.redirectOrigins, caller.environment)
    )
      throw invalidField('hosted_link.completion_redirect_uri: is not on the list of this client');
    if (!isUpdate && !(await this.sessions.hasPlace(caller)))
      throw new PlaidError('CREDITS_EXHAUSTED');
    const plaid = plaidSessionOf(body, {
      isUpdate,
      institutionAlias: institution?.alias ?? null,
    });
    const made = await this.sessions
      .create(caller, plan, { api: { format: 'plaid', options: plaid } })
      .catch(translateRefusal(request));
    return {
      ...made,
      hostedUrl:
        body.hosted_link === undefined
          ? null
          : hostedLink(this.settings.connectBaseUrl, made.token),
    };
  }

  private checkAddresses(
    { environment }: Caller,
    {
      webhook,
      redirect_uri: redirectUri,
      access_token: accessToken,
      hosted_link: hosted,
    }: CreateLinkTokenBody,
  ): void {
    const redirect = redirectUri === undefined ? null : redirectUriProblem(redirectUri);
    if (redirect !== null) throw invalidField(`redirect_uri: ${redirect}`);
    const completion =
      hosted?.completion_redirect_uri === undefined
        ? null
        : completionUriProblem(hosted.completion_redirect_uri);
    if (completion !== null)
      throw invalidField(`hosted_link.completion_redirect_uri: ${completion}`);
    const problem =
      webhook === undefined || accessToken !== undefined
        ? null
        : checkWebhookUrl(webhook, environment, this.settings);
    if (problem !== null) throw invalidField(`webhook: ${problem.message}`);
  }
}

/** Requested countries, with that of the sandbox banks for an alias of one of the requested ones. */
function countriesOf(requested: readonly Country[], ofAlias: Country | null): Country[] {
  return ofAlias !== null && requested.includes(ofAlias)
    ? [...new Set([...requested, SANDBOX_COUNTRY])]
    : [...requested];
}

/** The native API's refusal of a session, in the form that Plaid's clients know. */
function translateRefusal({ institution_id: institutionId }: SessionRequest) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'link_session_error.forbidden_config')
      throw invalidField('redirect_uri: is not on the list of this client');
    if (error.code === 'api_error.request.validation_failed' && institutionId !== undefined)
      throw new PlaidError('INVALID_INSTITUTION');
    throw error;
  };
}

/** Required products override optional ones. In update mode, only products the Item does not have are requested. */
function productsOf(
  body: CreateLinkTokenBody,
  { isUpdate, ignoresUnoffered }: { isUpdate: boolean; ignoresUnoffered: boolean },
): SettingsByProduct {
  const extendHistory = (body.transactions?.days_requested ?? USUAL_DAYS) > USUAL_DAYS;
  const settings = (
    products: readonly Product[],
    given: Pick<ProductSettings, 'required' | 'prefetch'>,
  ): SettingsByProduct =>
    Object.fromEntries(
      products.map((product) => [
        product,
        {
          ...DEFAULT_PRODUCT_SETTINGS,
          ...given,
          extend_history: product === 'transactions' && extendHistory,
        },
      ]),
    );
  return {
    ...settings(optionalOf(body.additional_consented_products ?? []), {
      required: false,
      prefetch: false,
    }),
    ...settings(optionalOf(body.optional_products ?? []), { required: false, prefetch: true }),
    ...settings(optionalOf(body.required_if_supported_products ?? []), {
      required: false,
      prefetch: true,
    }),
    ...(isUpdate
      ? {}
      : settings(requiredOf(body.products, { ignoresUnoffered }), {
          required: true,
          prefetch: true,
        })),
  };
}

/** Contact details in an unusual form are ignored. */
function contactOf({
  user,
}: CreateLinkTokenBody): Pick<SessionRequest['customer_user'], 'email' | 'phone'> {
  const { email_address: email = '', phone_number: phone = '' } = user;
  return {
    ...(/^[^\s@\u0000]+@[^\s@\u0000]+$/.test(email) && email.length <= 254
      ? { email: { address: email } }
      : {}),
    ...(/^\+?[\d ().-]{4,30}$/.test(phone) ? { phone: { number: phone } } : {}),
  };
}

function plaidSessionOf(
  body: CreateLinkTokenBody,
  { isUpdate, institutionAlias }: { isUpdate: boolean; institutionAlias: string | null },
): PlaidSession {
  const { hosted_link: hosted, account_filters: filters } = body;
  return {
    unopenedMs:
      hosted === undefined
        ? UNOPENED_MS[isUpdate ? 'update' : 'new']
        : (hosted.url_lifetime_seconds ?? DEFAULT_URL_LIFETIME_SECONDS) * 1_000,
    clientName: body.client_name,
    language: body.language,
    countryCodes: body.country_codes,
    initialProducts: body.products,
    accountFilters: filters ?? null,
    accountTypes: filters === undefined ? null : accountTypesOf(filters),
    historyDays: body.transactions?.days_requested ?? null,
    institutionAlias,
    redirectUri: body.redirect_uri ?? null,
    hosted:
      hosted === undefined
        ? null
        : { completionRedirectUri: hosted.completion_redirect_uri ?? null, reportsOutcome: false },
    asksForAccounts: body.update?.account_selection_enabled ?? false,
  };
}
