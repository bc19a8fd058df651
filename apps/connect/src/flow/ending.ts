import type { Host } from '../host/host.js';
import type { SessionClient } from '../session/session-client.js';
import type {
  ConnectError,
  ConnectExit,
  ConnectExitReason,
  ConnectInstitution,
} from '../../../../packages/connect-protocol/src/payloads.js';
import type {
  ExitCallReason,
  FinishResult,
  Institution,
} from '../../../../packages/connect-protocol/src/view.js';
import { isAppAddress } from './problems.js';
import type { EventReporter } from './event-reporter.js';
import type { FlowStore } from './flow-store.js';

interface Parts {
  host: Host;
  client: Pick<SessionClient, 'finish' | 'exit'>;
  store: FlowStore;
  events: EventReporter;
}

/** The last screen is read before it closes by itself; a button is faster. */
const DONE_SHOWN_MS = 4_000;

/** Time that an exit waits for the service; the call continues after that. */
const EXIT_WITHIN_MS = 1_500;

/** The one end of a flow: success or exit, exactly once (connect 9.1). */
export class Ending {
  private isOver = false;
  private isFinishing = false;

  constructor(private readonly parts: Parts) {}

  async succeed(): Promise<void> {
    const { client, store, events, host } = this.parts;
    if (this.isOver || this.isFinishing) return;
    this.isFinishing = true;
    const result = await client.finish().finally(() => {
      this.isFinishing = false;
    });
    if (this.isOver) return;
    this.isOver = true;
    const { closeOnSuccess } = host.init;
    if (closeOnSuccess !== true) store.dispatch({ type: 'finished', result });
    events.close('success');
    host.post('success', withoutPageMembers(result));
    if (closeOnSuccess === true) this.close();
    if (closeOnSuccess === 'after_reading')
      afterReading(() =>
        host.kind === 'page' ? goOn(result.completion_redirect_uri) : this.close(),
      );
  }

  async exit(reason: ConnectExitReason, error: ConnectError | null): Promise<void> {
    const { store, events, host } = this.parts;
    if (this.isOver) return;
    this.isOver = true;
    const { view, searchTerm } = store.get();
    const hasMoved = reason === 'moved';
    store.dispatch({ type: hasMoved ? 'moved' : 'left' });
    // An expired session has nothing left to end, but the hosted page returns its user to the app.
    const hasExpired = reason === 'expired';
    const isSilent = hasMoved || (hasExpired && host.kind !== 'page');
    const response = isSilent ? {} : await this.reportExit(hasExpired ? 'error' : reason);
    events.close('exit', { reason });
    const exit: ConnectExit = {
      reason,
      error,
      session_id: view?.session_id ?? null,
      institution: view?.institution ? presentInstitution(view.institution) : null,
      search_term: searchTerm || null,
    };
    host.post('exit', exit);
    // The older window keeps its notice until the user closes it.
    if (!hasMoved) this.close();
    if (host.kind === 'page') goOn(response.completion_redirect_uri);
  }

  /** After the end: removes the window. */
  close(): void {
    this.parts.store.dispatch({ type: 'left' });
    this.parts.host.post('close');
  }

  private async reportExit(
    reason: ExitCallReason,
  ): Promise<{ completion_redirect_uri?: string | null }> {
    return Promise.race([
      this.parts.client.exit(reason).catch(() => ({})),
      new Promise<object>((resolve) => setTimeout(resolve, EXIT_WITHIN_MS, {})),
    ]);
  }
}

/** A user who does something on the last screen leaves it by its button. */
function afterReading(act: () => void): void {
  const timer = setTimeout(act, DONE_SHOWN_MS);
  const stay = (): void => clearTimeout(timer);
  for (const deed of ['keydown', 'pointerdown'])
    document.addEventListener(deed, stay, { once: true });
}

/** From the hosted page to the app. */
export function goOn(address: string | null | undefined): void {
  if (address && isAppAddress(address)) location.assign(address);
}

function withoutPageMembers({ completion_redirect_uri: _, ...result }: FinishResult): object {
  return { ...result, institution: presentInstitution(result.institution) };
}

function presentInstitution({
  institution_id,
  name,
  country,
  domain,
  color,
  color_dark,
  logo_url,
}: Institution): ConnectInstitution {
  return { institution_id, name, country, domain, color, color_dark, logo_url };
}
