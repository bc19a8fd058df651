import { Inject, Injectable } from '@nestjs/common';
import { ApiError, badState, validationFailed } from '../../../../domain/errors/api-errors.js';
import { CONNECT_FEATURES } from '../../../../domain/session/connect-features.js';
import type { PlaidSession } from '../../../../domain/plaid/plaid-session.js';
import { combineRequestedProducts } from '../../../../domain/link/products.js';
import type { Application } from '../../../../prisma/generated/client.js';
import type { AfterEffect } from '../../../../prisma/database/after-effect.js';
import { ApplicationRepository } from '../../../../prisma/applications/application.repository.js';
import type { LinkView } from '../../../../prisma/links/link-view.js';
import {
  LinkSessionRepository,
  type CreatedSession,
  type NewSession,
} from '../../../../prisma/sessions/link-session.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { hostedPage } from '../connect/hosted/hosted-page.js';
import type { Caller } from '../http/request-state.js';
import { LinkAccess } from '../links/link-access.js';
import { FindWorld } from '../sandbox/find-world.js';
import type { SessionRequest } from './create-link-session.request.js';
import { isRedirectAllowed } from './redirect-uri.js';
import { SessionInstitution } from './session-institution.js';

/** Makes a link session of a well-formed request: the checks of native-api 1.3 from step 7 on. Source: link-lifecycle 2. */
@Injectable()
export class CreateLinkSession {
  constructor(
    private readonly applications: ApplicationRepository,
    private readonly institution: SessionInstitution,
    private readonly sessions: LinkSessionRepository,
    private readonly links: LinkAccess,
    private readonly world: FindWorld,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** `plaid`: what a client of the compatibility layer asked for besides. `andThen` ends the transaction. @throws ApiError */
  async create(
    caller: Caller,
    body: SessionRequest,
    { plaid, andThen }: { plaid?: PlaidSession; andThen?: AfterEffect<CreatedSession> } = {},
  ): Promise<CreatedSession> {
    const rules = { addressOptional: plaid !== undefined };
    const app = await this.applications.getApplication(caller.appId);
    if (app === null) throw new Error(`the app ${caller.appId} is gone`);
    const { institution } = await this.institution.asked(caller, body, rules);
    if (body.world_id !== undefined) await this.world.find(caller, body.world_id);
    const existing =
      body.existing_link_id === undefined
        ? null
        : await this.relinkable(caller, body.existing_link_id, body, rules);
    checkEntitlements(caller, body, app);
    // A relink takes no place, except that of a link never connected before.
    if (existing?.everConnected !== true) await this.refuseBeyondLimit(caller);
    await this.refuseUnopened(caller);

    return this.sessions.create(
      caller,
      {
        clientId: caller.clientId,
        customerUser: {
          id: body.customer_user.id,
          email: body.customer_user.email ?? null,
          phone: body.customer_user.phone ?? null,
        },
        mode: existing === null ? 'link' : 'relink',
        existingLinkId: existing?.linkId ?? null,
        presetInstitutionId: institution?.institutionId ?? null,
        products: combineRequestedProducts({
          products: body.settings?.products,
          productsSettings: body.products_settings,
        }),
        countries: await this.institution.countries(caller, body),
        providers: [...new Set(body.settings?.providers ?? [])],
        features: body.connect_features,
        theme: body.settings?.theme ?? null,
        redirectUri: this.returnPage(body, plaid),
        webhook: body.webhook,
        tags: body.tags,
        worldId: body.world_id ?? 'default',
        sandboxData: body.custom_sandbox_data ?? null,
        options: plaid,
      } satisfies NewSession,
      andThen,
    );
  }

  /** link-lifecycle 12; the place is taken when the link comes into being. */
  hasPlace(caller: Caller): Promise<boolean> {
    return this.applications.hasTrialPlace(caller);
  }

  /**
   * plaid-compat 10.3: a session of the compatibility layer may have no redirect_uri; banks then send the user back to a
   * page of ours. A hosted session always goes on there: at the app's own page no SDK waits.
   */
  private returnPage(
    { redirect_uri: given }: SessionRequest,
    plaid: PlaidSession | undefined,
  ): string | null {
    const isOurs = plaid !== undefined && (given === undefined || plaid.hosted !== null);
    return isOurs ? hostedPage(this.settings.connectBaseUrl) : (given ?? null);
  }

  /** native-api 8: sessions that are never opened do not pile up. */
  private async refuseUnopened(caller: Caller): Promise<void> {
    const nextEnd = await this.sessions.unopenedBeyond(
      caller,
      this.settings.unopenedSessionsPerApp,
    );
    if (nextEnd === null) return;
    throw new ApiError('api_error.rate_limit_exceeded', {
      message: 'Too many link sessions of this app were not opened yet.',
      retryAfterSeconds: Math.max(1, Math.ceil((nextEnd.getTime() - Date.now()) / 1_000)),
    });
  }

  private async refuseBeyondLimit(caller: Caller): Promise<void> {
    if (await this.hasPlace(caller)) return;
    throw new ApiError('link_session_error.forbidden_config', {
      message: 'The trial limit is reached: this client has as many Live links as it may have.',
    });
  }

  /** The link when a session may repair or extend it. Source: link-lifecycle 6.5 and 8. */
  private async relinkable(
    caller: Caller,
    linkId: string,
    body: SessionRequest,
    rules: { addressOptional: boolean },
  ): Promise<LinkView> {
    const link = await this.links.findLiving(caller, linkId);
    if (link.state === 'connecting' || link.state === 'awaiting_token_exchange')
      throw badState({ state: link.state, error: link.errorCode });
    const issue = await this.institution.issueOfRelink(caller, body, link.institutionId, rules);
    if (issue !== null) throw validationFailed([issue]);
    return link;
  }
}

function checkEntitlements(caller: Caller, body: SessionRequest, app: Application): void {
  if (
    body.redirect_uri !== undefined &&
    !isRedirectAllowed(body.redirect_uri, app.redirectOrigins, caller.environment)
  ) {
    throw new ApiError('link_session_error.forbidden_config', {
      message: 'The redirect_uri is not on the list of this app.',
    });
  }
  const missing = CONNECT_FEATURES.find(
    (name) => body.connect_features[name] && !app.features.includes(name),
  );
  if (missing !== undefined)
    throw new ApiError('link_session_error.forbidden_config', {
      message: `The app is not entitled to the feature ${missing}.`,
    });
}
