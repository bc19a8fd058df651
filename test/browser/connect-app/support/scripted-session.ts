import type { Institution, View } from '../../../../packages/connect-protocol/src/view.js';
import type { Step, StepContent } from '../../../../packages/connect-protocol/src/step.js';
import { BANKS, makeView } from './views.js';

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  authorization: string | undefined;
}

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

type Handler = (call: Call) => Answer | Promise<Answer>;

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const failure = (status: number, code: string, more: object = {}): Answer => ({
  status,
  body: { error_code: code, error_message: 'Scripted.', documentation_url: null, ...more },
  headers: { 'service-request-id': 'req_scripted' },
});

/**
 * Implements the session calls of connect.md 4: a test decides which step is shown and which step
 * follows an answer.
 */
export class ScriptedSession {
  view: View;
  readonly calls: Call[] = [];
  banks: readonly Institution[] = BANKS;
  private readonly handlers = new Map<string, Handler>();
  private readonly waiting = new Set<() => void>();
  private next: ((input: Record<string, unknown>) => StepContent) | null = null;

  constructor(step: StepContent, overrides: Partial<View> & { base?: Partial<Step> } = {}) {
    this.view = makeView(1, step, overrides);
  }

  /** Moves to another step, as the bank may do by itself. */
  show(step: StepContent, base: Partial<Step> = {}, overrides: Partial<View> = {}): View {
    // connect 4: only the response that opens the session contains the theme.
    const { institution, environment, app, features, redirect_uri, mode, expires_at } = this.view;
    this.view = makeView(this.view.seq + 1, step, {
      institution,
      environment,
      app,
      features,
      redirect_uri,
      mode,
      expires_at,
      ...overrides,
      base,
    });
    for (const wake of this.waiting) wake();
    return this.view;
  }

  /** Sets the step that follows the next answers. */
  then(next: (input: Record<string, unknown>) => StepContent): void {
    this.next = next;
  }

  /** Replaces the handler of one call, for example `POST /session/step`. */
  on(operation: string, handler: Handler): void {
    this.handlers.set(operation, handler);
  }

  /** Keeps the next call waiting until its answer is released. */
  hold(operation: string): (answer: Answer) => void {
    let release: (answer: Answer) => void = () => undefined;
    const held = new Promise<Answer>((resolve) => (release = resolve));
    this.on(operation, () => held);
    return (answer) => release(answer);
  }

  callsTo(operation: string): Call[] {
    return this.calls.filter(({ method, path }) => `${method} ${path}` === operation);
  }

  async answer(call: Call): Promise<Answer> {
    this.calls.push(call);
    const operation = `${call.method} ${call.path}`;
    const own = this.handlers.get(operation);
    if (own !== undefined) return own(call);
    switch (operation) {
      case 'POST /session/open':
      case 'POST /session/resume':
        return ok({ ...this.view, connect_token: 'ct_scripted' });
      case 'POST /session/reopen':
        return ok({ view: { ...this.view, connect_token: 'ct_scripted' }, end: null });
      case 'GET /session':
        await this.newerThan(Number(call.query.get('after_seq')), Number(call.query.get('wait')));
        // The window may have lost the session during the wait.
        return this.handlers.get(operation)?.(call) ?? ok(this.view);
      case 'GET /institutions':
        return ok(this.find(call.query.get('q') ?? ''));
      case 'POST /session/step':
        return this.step(call);
      case 'POST /session/extend':
        return ok(this.view);
      case 'POST /session/finish':
        return ok(this.result());
      case 'POST /session/exit':
        return ok({ closed: true });
      default:
        return failure(404, 'api_error.request.not_found');
    }
  }

  result(): Record<string, unknown> {
    return {
      mode: this.view.mode,
      ...(this.view.mode === 'link'
        ? { exchangeable_token: 'sandbox_xt_scripted', expires_in: 1800 }
        : {}),
      session_id: this.view.session_id,
      institution: this.view.institution,
      accounts: [
        {
          account_id: 'acc_1',
          account_type: 'depository.checking',
          name: 'Everyday Checking',
          account_mask: '1101',
        },
        {
          account_id: 'acc_2',
          account_type: 'depository.savings',
          name: 'Rainy Day Savings',
          account_mask: '2202',
        },
      ],
    };
  }

  private step({ body }: Call): Answer {
    const input = body['input'] as Record<string, unknown>;
    if (body['seq'] !== this.view.seq)
      return failure(409, 'connect_error.stale_step', { view: this.view });
    if (input['kind'] === 'select_institution') {
      const institution =
        this.banks.find(({ institution_id: id }) => id === input['institution_id']) ?? null;
      return ok(
        this.show(
          this.next?.(input) ?? { kind: 'wait', stage: 'connecting', can_cancel: false },
          {},
          { institution },
        ),
      );
    }
    return ok(this.next === null ? this.view : this.show(this.next(input)));
  }

  private find(q: string): { institutions: readonly Institution[]; cursor: { next: null } } {
    const institutions = this.banks.filter(
      ({ name, domain }) =>
        name.toLowerCase().includes(q.toLowerCase()) || domain?.includes(q.toLowerCase()) === true,
    );
    return { institutions, cursor: { next: null } };
  }

  private newerThan(seq: number, seconds: number): Promise<void> {
    if (this.view.seq > seq || seconds === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      // The long poll of a closed page still waits here. It must not keep the test run alive.
      const timer = setTimeout(wake, seconds * 1000).unref();
      this.waiting.add(wake);
    });
  }
}
