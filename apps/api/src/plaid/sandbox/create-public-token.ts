import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../../../domain/errors/api-errors.js';
import type { LinkError } from '../../../../../domain/link/link-state.js';
import { DEFAULT_PRODUCT_SETTINGS, PRODUCTS } from '../../../../../domain/link/products.js';
import { utcDay } from '../../../../../domain/api/timestamps.js';
import { checkWebhookUrl } from '../../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../../platform/src/config/settings.js';
import type { Caller } from '../../http/request-state.js';
import { CreateSandboxLink } from '../../sandbox/create-sandbox-link.js';
import { CreateSandboxLinkRequest } from '../../sandbox/sandbox-link.requests.js';
import { invalidField, PlaidError } from '../errors/plaid-error.js';
import type { PlaidErrorCode } from '../../../../../domain/plaid/errors.js';
import { nativeInstitution } from '../shapes/institution-aliases.js';
import { faultOfError } from '../../../../../domain/plaid/item-faults.js';
import { MAX_DAYS } from '../link-tokens/link-token.requests.js';
import { requiredOf } from '../link-tokens/requested-products.js';
import type { CreatePublicTokenBody } from './sandbox.requests.js';
import { readCustomUser } from './custom-user/read-custom-user.js';
import { CUSTOM_USER, sandboxUser } from './sandbox-users.js';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 90;
const UNOPENED_MS = 1_800_000;
const ORDINARY_PASSWORD = 'pass_good';

/** Creates a Sandbox Item without a browser: by the native call, with the session options of /link/token/create. Source: plaid-compat 7, 9. */
@Injectable()
export class CreatePublicToken {
  constructor(
    private readonly links: CreateSandboxLink,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** @throws PlaidError, ApiError */
  async create(
    caller: Caller,
    body: CreatePublicTokenBody,
    ignoresUnoffered: boolean,
  ): Promise<string> {
    const { options } = body;
    const problem =
      options.webhook === undefined
        ? null
        : checkWebhookUrl(options.webhook, caller.environment, this.settings);
    if (problem !== null) throw invalidField(`options.webhook: ${problem.message}`);
    const { institutionId, alias } = nativeInstitution(body.institution_id, caller.environment);
    const today = utcDay(new Date());
    const days = requestedDays(options.transactions ?? {}, today);
    const signIn = signInOf(options, today);
    const wanted = requiredOf(body.initial_products, { ignoresUnoffered });
    const settings = Object.fromEntries(
      PRODUCTS.filter((product) => wanted.includes(product)).map((product) => [
        product,
        {
          ...DEFAULT_PRODUCT_SETTINGS,
          required: true,
          prefetch: true,
          extend_history: product === 'transactions' && (days ?? 0) > USUAL_DAYS,
        },
      ]),
    );
    const request = await CreateSandboxLinkRequest.body.parseAsync({
      institution_id: institutionId,
      ...signIn,
      settings: { products: settings },
      webhook: options.webhook,
      result: 'exchangeable_token',
      wait_for_products: false,
    });
    const session = {
      unopenedMs: UNOPENED_MS,
      clientName: caller.appName,
      language: 'en',
      countryCodes: [],
      initialProducts: body.initial_products,
      accountFilters: null,
      accountTypes: null,
      historyDays: days,
      institutionAlias: alias,
      redirectUri: null,
      hosted: null,
      asksForAccounts: false,
    };
    const result = await this.links
      .create(caller, request, { format: 'plaid', options: session })
      .catch((error: unknown) => {
        // The institution exists but does not support a requested product.
        throw error instanceof ApiError && error.code === 'api_error.request.validation_failed'
          ? new PlaidError('PRODUCTS_NOT_SUPPORTED')
          : error;
      });
    if (result.kind === 'token') return result.exchangeableToken;
    throw new PlaidError(
      refusalOf(result.link.errorCode, result.kind === 'refused' ? result.cause : null),
    );
  }
}

/** plaid-compat 9: the custom user has its accounts as its password. @throws PlaidError */
function signInOf(
  {
    override_username: name,
    override_password: password = ORDINARY_PASSWORD,
  }: CreatePublicTokenBody['options'],
  today: string,
) {
  const username = sandboxUser(name);
  if (username !== CUSTOM_USER || password === ORDINARY_PASSWORD) return { username, password };
  const data = readCustomUser(password, today);
  return {
    username,
    password: ORDINARY_PASSWORD,
    ...(data === null ? {} : { custom_sandbox_data: data }),
  };
}

/** plaid-compat 7: a number of days, or the first day; the last day is always today. Null = unspecified. @throws PlaidError */
function requestedDays(
  {
    start_date: start,
    end_date: end = start,
    days_requested: days,
  }: NonNullable<CreatePublicTokenBody['options']['transactions']>,
  today: string,
): number | null {
  if (start === undefined || end === undefined) return days ?? null;
  if (start > today || start > end)
    throw invalidField('options.transactions.start_date: must not be after today or end_date');
  const since = (Date.parse(today) - Date.parse(start)) / DAY_MS + 1;
  return days ?? Math.min(since, MAX_DAYS);
}

/** plaid-compat 3.7, `incomplete`: during linking, the user abandoned the login. */
function refusalOf(error: LinkError | null, cause: string | null): PlaidErrorCode {
  if (error === 'incomplete') return 'INSUFFICIENT_CREDENTIALS';
  return error === null ? 'INTERNAL_SERVER_ERROR' : faultOfError(error, cause).live;
}
