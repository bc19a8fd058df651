import { Inject, Injectable } from '@nestjs/common';
import {
  invalid,
  validationFailed,
  type ValidationIssue,
} from '../../../../domain/errors/api-errors.js';
import { storedProvider, type ProviderNames } from '../../../../domain/link/provider-name.js';
import { InstitutionRepository } from '../../../../prisma/sources/institutions/institution.repository.js';
import { checkWebhookUrl } from '../../../platform/src/addresses/check-webhook-url.js';
import { SETTINGS } from '../../../platform/src/config/settings.module.js';
import type { ApiSettings } from '../../../platform/src/config/settings.js';
import type { Caller } from '../http/request-state.js';
import type { InputOf, RequestCheck } from '../http/route.js';
import type {
  CreateLinkSessionBody,
  CreateLinkSessionRequest,
} from './create-link-session.request.js';
import type { LinkSessionPlan } from './link-session-plan.js';
import { redirectUriProblem } from './redirect-uri.js';
import { ResolveLinkSession } from './resolve-link-session.js';

/** Checks a session request beyond its schema and resolves it. Source: link-lifecycle 2. */
@Injectable()
export class PlanLinkSession implements RequestCheck<LinkSessionPlan> {
  constructor(
    @Inject(SETTINGS) private readonly settings: ApiSettings,
    private readonly institutions: InstitutionRepository,
    private readonly resolution: ResolveLinkSession,
  ) {}

  /** @throws ApiError */
  async check(caller: Caller, input: unknown): Promise<LinkSessionPlan> {
    const { body: given } = input as InputOf<typeof CreateLinkSessionRequest>;
    const body = withStoredProviders(given, this.settings);
    const issues = [
      ...this.addressIssues(caller, body),
      ...sandboxIssues(caller, body),
      ...(await this.providerIssues(body)),
    ];
    if (issues.length > 0) throw validationFailed(issues);
    // Banks return the user of a hosted session to the page of the service.
    return this.resolution.resolve(caller, body, { addressOptional: body.hosted !== undefined });
  }

  private addressIssues(
    { environment }: Caller,
    { redirect_uri: redirectUri, hosted, webhook }: CreateLinkSessionBody,
  ): ValidationIssue[] {
    const pageIssues = (location: string[], uri: string | undefined): ValidationIssue[] => {
      const problem = uri === undefined ? null : redirectUriProblem(uri);
      return problem === null ? [] : [invalid(['body', ...location], problem)];
    };
    const address =
      typeof webhook === 'string' ? checkWebhookUrl(webhook, environment, this.settings) : null;
    return [
      ...pageIssues(['redirect_uri'], redirectUri),
      ...pageIssues(['hosted', 'return_url'], hosted?.return_url),
      ...(address === null ? [] : [address]),
    ];
  }

  private async providerIssues(body: CreateLinkSessionBody): Promise<ValidationIssue[]> {
    const requested = body.settings?.providers ?? [];
    if (requested.length === 0) return [];
    const known = new Set(await this.institutions.providerNames());
    return requested.flatMap((name, index) =>
      known.has(name)
        ? []
        : [invalid(['body', 'settings', 'providers', index], 'Unknown provider.')],
    );
  }
}

function withStoredProviders(
  body: CreateLinkSessionBody,
  names: ProviderNames,
): CreateLinkSessionBody {
  const providers = body.settings?.providers?.map((name) => storedProvider(name, names));
  return providers === undefined ? body : { ...body, settings: { ...body.settings, providers } };
}

function sandboxIssues(caller: Caller, body: CreateLinkSessionBody): ValidationIssue[] {
  if (caller.environment === 'sandbox') return [];
  return (['custom_sandbox_data', 'world_id'] as const)
    .filter((name) => body[name] !== undefined)
    .map((name) => invalid(['body', name], 'This exists in Sandbox only.'));
}
