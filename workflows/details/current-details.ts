import { setCurrentDetails } from '@temporalio/workflow';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { renderDetails, type Wait } from './render-details.js';

/** Distinguishes what a workflow waits for at the same time, such as its products. */
type WaitKey = string;
const ONLY: WaitKey = '';

/**
 * What a workflow shows as its details in the Temporal UI. They are answered from memory and add
 * nothing to the history: a replay may render other texts than the run before it.
 */
export class CurrentDetails {
  private readonly waits = new Map<WaitKey, Wait>();
  private place: { institution: string | null; provider: string | null } = {
    institution: null,
    provider: null,
  };
  private note: string | null = null;
  private phase: string | null = null;

  /** Where the work is done, and in which phase. Null = not chosen, or without phases. */
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

  /** `until`: in milliseconds since 1970; null = for as long as it takes. The last error stays. */
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

  /** Null = what failed no longer matters. */
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
