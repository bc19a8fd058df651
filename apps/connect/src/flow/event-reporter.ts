import type { Host } from '../host/host.js';
import type { View } from '../../../../packages/connect-protocol/src/view.js';
import type { ConnectError } from '../../../../packages/connect-protocol/src/payloads.js';
import type { ScreenName } from './screens.js';

/** Events with a count of sent inputs. Source: connect 11. */
export type SubmissionEvent =
  | 'submit_credentials'
  | 'submit_mfa'
  | 'submit_otp_device'
  | 'submit_otp';

/**
 * Reports events to the SDK (connect 11). Never in an event: typed values other than the
 * search term, codes, account names, masks, balances, tokens.
 */
export class EventReporter {
  private ended = false;
  private screen: ScreenName | null = null;
  private readonly attempts = new Map<SubmissionEvent, number>();

  constructor(
    private readonly host: Pick<Host, 'post'>,
    private readonly view: () => View | null,
    private readonly now: () => Date,
  ) {}

  report(name: string, properties: Record<string, unknown> = {}): void {
    if (!this.ended) this.host.post('event', { name, properties, meta: this.meta() });
  }

  submission(name: SubmissionEvent): void {
    const attempt = (this.attempts.get(name) ?? 0) + 1;
    this.attempts.set(name, attempt);
    this.report(name, { attempt });
  }

  screenShown(name: ScreenName | null): void {
    if (name === null || name === this.screen) return;
    this.report('change_screen', { current_screen_name: name, previous_screen_name: this.screen });
    this.screen = name;
  }

  error(error: ConnectError): void {
    if (this.ended) return;
    this.host.post('error', error);
    this.report('error', {
      error_id: error.error_id,
      displayed_message: error.displayed_message,
      request_id: error.request_id,
    });
  }

  /** The closing event comes before the final callback, and nothing after it (connect 9.1). */
  close(name: 'success' | 'exit', properties: Record<string, unknown> = {}): void {
    this.report(name, properties);
    this.ended = true;
  }

  private meta(): Record<string, unknown> {
    const view = this.view();
    const institution = view?.institution ?? null;
    return {
      link_type: view?.mode ?? 'link',
      timestamp: this.now().toISOString().slice(0, -1),
      link_session_id: view?.session_id ?? null,
      ...(institution === null
        ? {}
        : { institution_id: institution.institution_id, institution_name: institution.name }),
    };
  }
}
