import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid, validationFailed } from '../../../../domain/errors/api-errors.js';
import { SEALED_SIGN_IN } from '../../../../domain/sandbox/sandbox-request.js';
import { ExchangeRepository } from '../../../../prisma/work/linking/exchange.repository.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import type { LinkView } from '../../../../prisma/links/link/link-view.js';
import type { SessionApi } from '../../../../prisma/links/sessions/create-session.js';
import { LinkSessionRepository } from '../../../../prisma/links/sessions/link-session.repository.js';
import { SandboxLinkRepository } from '../../../../prisma/work/sandbox/sandbox-link.repository.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, RequestCheck } from '../http/route.js';
import { LinkAccess } from '../links/link-access.js';
import { FindWorld } from './find-world.js';
import {
  productsOf,
  type CreateSandboxLinkBody,
  type CreateSandboxLinkRequest,
} from './sandbox-link.requests.js';
import { unavailable, type SandboxWorkflows } from './sandbox-workflows.js';
import { SANDBOX_WORKFLOWS } from './sandbox-workflows.token.js';
import { WaitForFetches } from './wait-for-fetches.js';

/** link-lifecycle 14: waits at most 90 s for the login, then at most 30 s for prefetch. */
const LOGIN_WITHIN_MS = 90_000;
const WORKFLOW_MARGIN_MS = 5_000;
const PREFETCH_WITHIN_MS = 30_000;

export type SandboxLinkResult =
  | { kind: 'link'; link: LinkView }
  | { kind: 'token'; exchangeableToken: string; expiresInSeconds: number }
  /** Without a token: the login failed. */
  | { kind: 'refused'; link: LinkView; cause: string | null };

/**
 * Creates a link without a user interface: the same session, changes and events as with Connect.
 * Source: link-lifecycle 14.
 */
@Injectable()
export class CreateSandboxLink implements RequestCheck {
  constructor(
    private readonly institutions: InstitutionRepository,
    private readonly sessions: LinkSessionRepository,
    private readonly exchanges: ExchangeRepository,
    private readonly links: LinkAccess,
    private readonly sandboxLinks: SandboxLinkRepository,
    private readonly world: FindWorld,
    private readonly untilFetched: WaitForFetches,
    @Inject(SANDBOX_WORKFLOWS) private readonly workflows: SandboxWorkflows,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  /** @throws ApiError */
  check({ environment }: Caller, input: unknown): void {
    const { body } = input as InputOf<typeof CreateSandboxLinkRequest>;
    const issue =
      typeof body.webhook === 'string'
        ? checkWebhookUrl(body.webhook, environment, this.settings)
        : null;
    if (issue !== null) throw validationFailed([issue]);
  }

  /** `api`: the API of its client, unless it is the native one. @throws ApiError */
  async create(
    caller: Caller,
    body: CreateSandboxLinkBody,
    api?: SessionApi,
  ): Promise<SandboxLinkResult> {
    const institution = await this.institutions.find(['sandbox'], body.institution_id);
    if (institution === null) throw new ApiError('institution_error.not_found');
    const { worldId } = await this.world.find(caller, body.world_id);
    const sessionId = await this.createSession(caller, body, {
      institutionId: institution.institutionId,
      worldId,
      api,
    });
    await this.sessions.sealAnswer(
      sessionId,
      SEALED_SIGN_IN,
      Buffer.from(JSON.stringify({ username: body.username, password: body.password }), 'utf8'),
    );
    const action = {
      kind: 'link',
      sessionId,
      institutionId: institution.institutionId,
      loginWithinMs: LOGIN_WITHIN_MS,
    } as const;
    await this.workflows
      .run(sessionId, action, LOGIN_WITHIN_MS + WORKFLOW_MARGIN_MS)
      .catch(async (error: unknown) => {
        await this.sandboxLinks.endSession(sessionId);
        throw error;
      });

    const linkId = (await this.sessions.get(sessionId))?.linkId ?? null;
    if (linkId === null) throw unavailable('The sandbox bank did not complete a login in time');
    if (body.wait_for_products) await this.untilFetched.wait(linkId, PREFETCH_WITHIN_MS);
    return this.resultOf(caller, { sessionId, linkId, wanted: body.result });
  }

  private async createSession(
    caller: Caller,
    body: CreateSandboxLinkBody,
    {
      institutionId,
      worldId,
      api,
    }: { institutionId: string; worldId: string; api: SessionApi | undefined },
  ): Promise<string> {
    const products = productsOf(body);
    const available = await this.institutions.findAvailable(
      {
        tenant: caller,
        environments: ['sandbox'],
        countries: [],
        providers: [],
        oauthPossible: true,
        requiredProducts: Object.entries(products).flatMap(([product, { required }]) =>
          required ? [product as keyof typeof products] : [],
        ),
      },
      institutionId,
    );
    if (available === null)
      throw validationFailed([
        invalid(['body', 'institution_id'], 'The institution lacks a required product.'),
      ]);
    const { sessionId } = await this.sessions.create(caller, {
      clientId: caller.clientId,
      customerUser: {
        id: body.customer_user.id,
        email: body.customer_user.email ?? null,
        phone: body.customer_user.phone ?? null,
      },
      mode: 'link',
      existingLinkId: null,
      presetInstitutionId: institutionId,
      products,
      countries: [],
      providers: [],
      features: {},
      theme: null,
      redirectUri: null,
      webhook: body.webhook,
      tags: body.tags,
      worldId,
      sandboxData: body.custom_sandbox_data ?? null,
      api,
    });
    return sessionId;
  }

  /**
   * Fetches and exchanges the result here, as a front end and a back end would, so no token enters
   * a history.
   */
  private async resultOf(
    caller: Caller,
    {
      sessionId,
      linkId,
      wanted,
    }: { sessionId: string; linkId: string; wanted: CreateSandboxLinkBody['result'] },
  ): Promise<SandboxLinkResult> {
    const finished = await this.exchanges.finish(sessionId, randomUUID());
    const token = finished?.token ?? null;
    if (wanted === 'exchangeable_token') {
      if (token !== null) return { kind: 'token', ...token };
      return {
        kind: 'refused',
        link: await this.links.find(caller, linkId),
        cause: await this.sandboxLinks.causeOf(linkId),
      };
    }
    if (token !== null) await this.exchanges.exchange(caller, token.exchangeableToken);
    return { kind: 'link', link: await this.links.find(caller, linkId) };
  }
}
