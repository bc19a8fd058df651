import { setCurrentDetails } from '@temporalio/workflow';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { renderDetails, type Wait } from './render-details.js';

/** Distinguishes concurrent waits of a workflow, such as one per product. */
type WaitKey = string;
const ONLY: WaitKey = '';

/**
 * The details of a workflow in the Temporal UI. Queries read them from memory and add nothing to
 * the history: a replay may render different texts from the original run.
 */
export class CurrentDetails {
  private readonly waits = new Map<WaitKey, Wait>();
  private place: { institution: string | null; provider: string | null } = {
    institution: null,
    provider: null,
  };
  private note: string | null = null;
  private phase: string | null = null;

  /** The institution and the phase. Null = not chosen, or a workflow without phases. */
  at({
    institution = null,
    provider = null,
    note = null,
    phase = null,
  }: {
    institution?: string | null;
    provider?: string | null;
    note?: string | null;
    phase?: string | null;
  }): this {
    this.place = { institution, provider };
    this.note = note;
    this.phase = phase;
    return this.publish();
  }

  /** `until`: in milliseconds since 1970; null = no time limit. The last error stays. */
  waitFor(text: string, { until = null }: { until?: number | null } = {}, key = ONLY): void {
    const before = this.waits.get(key);
    this.waits.set(key, {
      for: text,
      since: before?.for === text ? before.since : Date.now(),
      until,
      lastError: before?.lastError ?? null,
    });
    this.publish();
  }

  /** Null = the failure no longer matters. */
  failed(lastError: ProviderCause | null, key = ONLY): void {
    const wait = this.waits.get(key);
    if (wait === undefined) return;
    this.waits.set(key, { ...wait, lastError });
    this.publish();
  }

  done(key = ONLY): void {
    this.waits.delete(key);
    this.publish();
  }

  private publish(): this {
    const { place, note, phase } = this;
    setCurrentDetails(renderDetails({ ...place, waits: [...this.waits.values()], note, phase }));
    return this;
  }
}
