import type { SessionClient } from '../session/session-client.js';
import { pause } from '../session/pause.js';
import type { View } from '../../../../packages/connect-protocol/src/view.js';
import { nextDeadline } from './deadline.js';
import type { FlowState } from './flow-state.js';
import type { FlowStore } from './flow-store.js';

const POLL_SECONDS = 20;
/** An early response without a change must not become a busy loop. */
const LEAST_BETWEEN_POLLS_MS = 400;
/** The service detects a time limit by its own clock. */
const PAST_DEADLINE_MS = 500;
const LOOK_AGAIN_MS = 3_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Watch {
  store: FlowStore;
  client: Pick<SessionClient, 'current'>;
  now: () => number;
  onFailure: (error: unknown) => void;
}

/**
 * Follows changes that no answer of this window caused: a long poll while the bank or another
 * window works (connect 5.5), otherwise a check at each time limit (5.7) and whenever the user
 * returns to the page.
 */
export function watchSteps({ store, client, now, onFailure }: Watch): () => void {
  let following: { key: string; stop: AbortController } | null = null;
  const update = (): void => {
    const state = store.get();
    const key = keyOf(state);
    if (key === (following?.key ?? null)) return;
    following?.stop.abort();
    following = null;
    if (key === null || state.view === null) return;
    const stop = new AbortController();
    following = { key, stop };
    const follow = isWorking(state)
      ? poll(state.view, stop.signal)
      : lookAtDeadlines(state.view, stop.signal);
    follow.catch((error: unknown) => {
      if (!stop.signal.aborted) onFailure(error);
    });
  };
  const lookNow = (): void => {
    const { view, phase, sending } = store.get();
    if (document.visibilityState !== 'visible' || view === null || phase !== 'open' || sending)
      return;
    client
      .current(view.seq, 0)
      .then((found) => store.dispatch({ type: 'shown', view: found }), onFailure);
  };
  const unsubscribe = store.subscribe(update);
  document.addEventListener('visibilitychange', lookNow);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', lookNow);
    following?.stop.abort();
  };

  async function poll({ seq }: View, signal: AbortSignal): Promise<void> {
    for (;;) {
      const asked = now();
      const view = await client.current(seq, POLL_SECONDS, signal);
      signal.throwIfAborted();
      store.dispatch({ type: 'shown', view });
      // Another step has aborted it.
      await pause(LEAST_BETWEEN_POLLS_MS - (now() - asked), signal);
    }
  }

  async function lookAtDeadlines(view: View, signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = nextDeadline(view).at + PAST_DEADLINE_MS - now();
      await pause(left > 0 ? Math.min(left, LONGEST_TIMER_MS) : LOOK_AGAIN_MS, signal);
      const found = await client.current(view.seq, 0, signal);
      signal.throwIfAborted();
      store.dispatch({ type: 'shown', view: found });
    }
  }
}

function isWorking({ view, answeredElsewhere }: FlowState): boolean {
  const step = view?.step;
  return answeredElsewhere || step?.kind === 'wait' || (step?.kind === 'redirect' && step.started);
}

function keyOf(state: FlowState): string | null {
  const { phase, view } = state;
  if (phase !== 'open' || view === null || view.step.kind === 'success') return null;
  return `${view.seq} ${isWorking(state)} ${nextDeadline(view).at}`;
}
