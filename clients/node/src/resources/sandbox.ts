import type {
  CreatedSandboxLink,
  CreatedSandboxToken,
  Fault,
  Link,
  SandboxAdvanceWorldRequest,
  SandboxAdvanceWorldResult,
  SandboxCreateFaultRequest,
  SandboxCreateLinkRequest,
  SandboxCreateLinkResult,
  SandboxCreateWorldRequest,
  SandboxExpireAuthRequest,
  SandboxListFaultsResult,
  SandboxListWorldsResult,
  SandboxChange,
  SandboxRunHoldingsScriptRequest,
  SandboxRunLiabilitiesScriptRequest,
  SandboxRunScriptRequest,
  SandboxRunScriptResult,
  World,
} from '../generated/types.js';
import type { ApiPromise } from '../requests/api-promise.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

/** For a body whose `result` is known at run time only: each member of both can be read. */
type LinkOrToken =
  | (CreatedSandboxLink & { exchangeable_token?: undefined; expires_in?: undefined })
  | (CreatedSandboxToken & { link_id?: undefined; link?: undefined });

/** Controls of the sandbox banks; a Live pair is refused with a PermissionDeniedError. Source: docs/sandbox.md. */
export class Sandbox {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /**
   * Links an account without a user interface. With `result: 'exchangeable_token'` it returns a token
   * in place of the link.
   */
  createLink(
    body?: SandboxCreateLinkRequest & { result?: 'link' },
    options?: CallOptions,
  ): ApiPromise<CreatedSandboxLink>;
  createLink(
    body: SandboxCreateLinkRequest & { result: 'exchangeable_token' },
    options?: CallOptions,
  ): ApiPromise<CreatedSandboxToken>;
  createLink(body: SandboxCreateLinkRequest, options?: CallOptions): ApiPromise<LinkOrToken>;
  createLink(
    body: SandboxCreateLinkRequest = {},
    options?: CallOptions,
  ): ApiPromise<SandboxCreateLinkResult> {
    return this.#requester.json({ method: 'POST', path: '/sandbox/link', body }, options);
  }

  /** Makes the bank refuse the access of a link, so that its owner has to sign in again. */
  expireAuth(
    linkId: string,
    body: SandboxExpireAuthRequest = {},
    options?: CallOptions,
  ): ApiPromise<Link> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/links/${linkId}/expire-auth`, body },
      options,
    );
  }

  /** Lets transactions happen at the bank of a link. */
  runScript(
    linkId: string,
    body: SandboxRunScriptRequest,
    options?: CallOptions,
  ): ApiPromise<SandboxRunScriptResult> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/links/${linkId}/transactions`, body },
      options,
    );
  }

  /** Changes holdings at the bank of a link. */
  runHoldingsScript(
    linkId: string,
    body: SandboxRunHoldingsScriptRequest,
    options?: CallOptions,
  ): ApiPromise<SandboxChange> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/links/${linkId}/holdings`, body },
      options,
    );
  }

  /** Changes debts at the bank of a link. */
  runLiabilitiesScript(
    linkId: string,
    body: SandboxRunLiabilitiesScriptRequest,
    options?: CallOptions,
  ): ApiPromise<SandboxChange> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/links/${linkId}/liabilities`, body },
      options,
    );
  }

  listFaults(institutionId: string, options?: CallOptions): ApiPromise<SandboxListFaultsResult> {
    return this.#requester.json(
      { method: 'GET', path: path`/sandbox/institutions/${institutionId}/faults` },
      options,
    );
  }

  /** Makes a sandbox bank fail in a chosen way for this app. */
  createFault(
    institutionId: string,
    body: SandboxCreateFaultRequest,
    options?: CallOptions,
  ): ApiPromise<Fault> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/institutions/${institutionId}/faults`, body },
      options,
    );
  }

  deleteFault(faultId: string, options?: CallOptions): ApiPromise<void> {
    return this.#requester.nothing(
      { method: 'DELETE', path: path`/sandbox/faults/${faultId}` },
      options,
    );
  }

  listWorlds(options?: CallOptions): ApiPromise<SandboxListWorldsResult> {
    return this.#requester.json({ method: 'GET', path: '/sandbox/worlds' }, options);
  }

  /** Creates a world: links with a clock of their own. */
  createWorld(body: SandboxCreateWorldRequest = {}, options?: CallOptions): ApiPromise<World> {
    return this.#requester.json({ method: 'POST', path: '/sandbox/worlds', body }, options);
  }

  getWorld(worldId: string, options?: CallOptions): ApiPromise<World> {
    return this.#requester.json({ method: 'GET', path: path`/sandbox/worlds/${worldId}` }, options);
  }

  /** Moves the clock of a world, with everything that happens meanwhile. */
  advanceWorld(
    worldId: string,
    body: SandboxAdvanceWorldRequest,
    options?: CallOptions,
  ): ApiPromise<SandboxAdvanceWorldResult> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/worlds/${worldId}/advance`, body },
      options,
    );
  }

  deleteWorld(worldId: string, options?: CallOptions): ApiPromise<void> {
    return this.#requester.nothing(
      { method: 'DELETE', path: path`/sandbox/worlds/${worldId}` },
      options,
    );
  }
}
