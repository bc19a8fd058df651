import type {
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
  SandboxRunScriptRequest,
  SandboxRunScriptResult,
  World,
} from '../generated/types.js';
import { path, type CallOptions } from '../requests/api-request.js';
import type { Requester } from '../requests/requester.js';

/** Controls of the sandbox banks; a Live pair is refused with a PermissionError. Source: docs/sandbox.md. */
export class Sandbox {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** Links an account without a user interface. */
  createLink(
    body: SandboxCreateLinkRequest,
    options?: CallOptions,
  ): Promise<SandboxCreateLinkResult> {
    return this.#requester.json({ method: 'POST', path: '/sandbox/link', body }, options);
  }

  /** Makes the bank refuse the access of a link, so that its owner has to sign in again. */
  expireAuth(
    linkId: string,
    body: SandboxExpireAuthRequest = {},
    options?: CallOptions,
  ): Promise<Link> {
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
  ): Promise<SandboxRunScriptResult> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/links/${linkId}/transactions`, body },
      options,
    );
  }

  listFaults(institutionId: string, options?: CallOptions): Promise<SandboxListFaultsResult> {
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
  ): Promise<Fault> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/institutions/${institutionId}/faults`, body },
      options,
    );
  }

  async deleteFault(faultId: string, options?: CallOptions): Promise<void> {
    await this.#requester.json(
      { method: 'DELETE', path: path`/sandbox/faults/${faultId}` },
      options,
    );
  }

  listWorlds(options?: CallOptions): Promise<SandboxListWorldsResult> {
    return this.#requester.json({ method: 'GET', path: '/sandbox/worlds' }, options);
  }

  /** Creates a world: links with a clock of their own. */
  createWorld(body: SandboxCreateWorldRequest = {}, options?: CallOptions): Promise<World> {
    return this.#requester.json({ method: 'POST', path: '/sandbox/worlds', body }, options);
  }

  getWorld(worldId: string, options?: CallOptions): Promise<World> {
    return this.#requester.json({ method: 'GET', path: path`/sandbox/worlds/${worldId}` }, options);
  }

  /** Moves the clock of a world, with everything that happens meanwhile. */
  advanceWorld(
    worldId: string,
    body: SandboxAdvanceWorldRequest,
    options?: CallOptions,
  ): Promise<SandboxAdvanceWorldResult> {
    return this.#requester.json(
      { method: 'POST', path: path`/sandbox/worlds/${worldId}/advance`, body },
      options,
    );
  }

  async deleteWorld(worldId: string, options?: CallOptions): Promise<void> {
    await this.#requester.json(
      { method: 'DELETE', path: path`/sandbox/worlds/${worldId}` },
      options,
    );
  }
}
