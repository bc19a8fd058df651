import { Inject, Injectable } from '@nestjs/common';
import {
  ApiError,
  badState,
  invalid,
  validationFailed,
} from '../../../../domain/errors/api-errors.js';
import { InstitutionUnavailable } from '../../../../domain/institutions/institution-unavailable.js';
import { CONNECT_FEATURES } from '../../../../domain/session/connect-features.js';
import type { AfterEffect } from '../../../../prisma/base/database/after-effect.js';
import { ApplicationRepository } from '../../../../prisma/tenants/applications/application.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import type {
  CreatedSession,
  NewSession,
  SessionApi,
} from '../../../../prisma/links/sessions/create-session.js';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import { hostedPage } from '../connect/hosted/hosted-page.js';
import type { Caller } from '../http/request-state.js';
import { LinkAccess } from '../links/link-access.js';
import { FindWorld } from '../sandbox/find-world.js';
import type { SessionRequest } from './create-link-session.request.js';
import type { LinkSessionPlan } from './link-session-plan.js';
import { isRedirectAllowed } from './redirect-uri.js';
import { ResolveLinkSession, unavailableIssue } from './resolve-link-session.js';

/** Creates a link session from its plan: the checks of native-api 1.3 from step 7 on. Source: link-lifecycle 2. */
@Injectable()
export class CreateLinkSession {
  constructor(
    private readonly applications: ApplicationRepository,
    private readonly resolution: ResolveLinkSession,
    private readonly sessions: LinkSessionRepository,
    private readonly links: LinkAccess,
    private readonly world: FindWorld,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** `api`: undefined for a plain native request. `andThen` ends the transaction. @throws ApiError */
  async create(
    caller: Caller,
    plan: LinkSessionPlan,
    { api, andThen }: { api?: SessionApi; andThen?: AfterEffect<CreatedSession> } = {},
  ): Promise<CreatedSession> {
    const { request } = plan;
    if (request.world_id !== undefined) await this.world.find(caller, request.world_id);
    const existing =
      request.existing_link_id === undefined
        ? null
        : await this.relinkable(caller, request.existing_link_id, plan);
    // plaid-compat 10: an update mode is for the user of its Item, whatever it names.
    if (existing !== null && api?.format !== 'plaid') checkOwner(existing, plan);
    checkEntitlements(caller, plan);
    // A relink does not use a place, except for a link never connected before.
    if (existing?.everConnected !== true) await this.refuseBeyondLimit(caller);
    await this.refuseUnopened(caller);
    try {
      return await this.sessions.create(
        caller,
        { ...this.planned(plan, api), clientId: caller.clientId, ...modeOf(existing) },
        andThen,
      );
    } catch (error) {
      if (error instanceof InstitutionUnavailable) throw validationFailed([unavailableIssue(plan)]);
      throw error;
    }
  }

  /** link-lifecycle 12; the place is taken when the link is created. */
  hasPlace(caller: Caller): Promise<boolean> {
    return this.applications.hasTrialPlace(caller);
  }

  private planned(
    { request, institution, products, countries, usable }: LinkSessionPlan,
    api: SessionApi | undefined,
  ): Omit<NewSession, 'clientId' | 'mode' | 'existingLinkId'> {
    const { customer_user: user } = request;
    return {
      customerUser: { id: user.id, email: user.email ?? null, phone: user.phone ?? null },
      presetInstitutionId: institution?.institutionId ?? null,
      usable,
      products,
      countries,
      providers: [...new Set(request.settings?.providers ?? [])],
      features: request.connect_features,
      theme: request.settings?.theme ?? null,
      redirectUri: this.returnPage(request, api),
      webhook: request.webhook,
      tags: request.tags,
      worldId: request.world_id ?? 'default',
      sandboxData: request.custom_sandbox_data ?? null,
      api,
    };
  }

  /**
   * plaid-compat 10.3: a session of the compatibility layer may have no redirect_uri; banks then return the user to a
   * page of ours. A hosted session always continues there: no SDK waits on the app's own page (link-lifecycle 2.6).
   */
  private returnPage(
    { redirect_uri: given }: SessionRequest,
    api: SessionApi | undefined,
  ): string | null {
    const isOurs = api !== undefined && (given === undefined || api.options.hosted !== null);
    return isOurs ? hostedPage(this.settings.connectBaseUrl) : (given ?? null);
  }

  /** native-api 8: limits the sessions that were never opened. */
  private async refuseUnopened(caller: Caller): Promise<void> {
    const nextEnd = await this.sessions.unopenedBeyond(
      caller,
      this.settings.unopenedSessionsPerApp,
    );
    if (nextEnd === null) return;
    throw new ApiError('api_error.rate_limit_exceeded', {
      message: 'Too many link sessions of this app are still unopened.',
      retryAfterSeconds: Math.max(1, Math.ceil((nextEnd.getTime() - Date.now()) / 1_000)),
    });
  }

  private async refuseBeyondLimit(caller: Caller): Promise<void> {
    if (await this.hasPlace(caller)) return;
    throw new ApiError('link_session_error.forbidden_config', {
      message: 'The trial limit is reached: this client has as many Live links as it may have.',
    });
  }

  /** The link, when a session may repair or extend it. Source: link-lifecycle 6.5 and 8. */
  private async relinkable(
    caller: Caller,
    linkId: string,
    plan: LinkSessionPlan,
  ): Promise<LinkView> {
    const link = await this.links.findLiving(caller, linkId);
    if (link.state === 'connecting' || link.state === 'awaiting_token_exchange')
      throw badState({ state: link.state, error: link.errorCode });
    await this.resolution.requireForRelink(plan, link.institutionId);
    return link;
  }
}

function modeOf(existing: LinkView | null): Pick<NewSession, 'mode' | 'existingLinkId'> {
  return existing === null
    ? { mode: 'link', existingLinkId: null }
    : { mode: 'relink', existingLinkId: existing.linkId };
}

/** link-lifecycle 2.1: a session for the link of another user would let this one repair, and extend, what is not theirs. */
function checkOwner({ customerUserId }: LinkView, { request }: LinkSessionPlan): void {
  if (request.customer_user.id === customerUserId) return;
  throw validationFailed([
    invalid(['body', 'customer_user', 'id'], 'The existing link belongs to another user.'),
  ]);
}

function checkEntitlements({ environment }: Caller, { request, app }: LinkSessionPlan): void {
  for (const [name, uri] of Object.entries({
    redirect_uri: request.redirect_uri,
    'hosted.return_url': request.hosted?.return_url,
  })) {
    if (uri === undefined || isRedirectAllowed(uri, app.redirectOrigins, environment)) continue;
    throw new ApiError('link_session_error.forbidden_config', {
      message: `This ${name} is not allowed for this app.`,
    });
  }
  const missing = CONNECT_FEATURES.find(
    (name) => request.connect_features[name] && !app.features.includes(name),
  );
  if (missing !== undefined)
    throw new ApiError('link_session_error.forbidden_config', {
      message: `The app is not entitled to the feature ${missing}.`,
    });
}
