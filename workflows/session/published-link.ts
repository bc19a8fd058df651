import { upsertSearchAttributes } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { SessionPhase } from '../../domain/session/session-phase.js';
import { linkAttributes, NO_LINK } from '../search-attributes.js';
import type { Deadlines } from './deadlines.js';

/** The link of a session, published in search attributes for operators. */
export class PublishedLink {
  private isNamed = false;

  publish(attributes: SearchAttributeUpdatePair[], { isNamed = this.isNamed } = {}): void {
    this.isNamed = isNamed;
    upsertSearchAttributes(attributes);
  }

  clear(): void {
    upsertSearchAttributes(NO_LINK);
  }

  /**
   * Publishes the final state of the link, regardless of what ended the session. Success has
   * already published it.
   */
  async publishEnd(phase: SessionPhase, deadlines: Deadlines): Promise<void> {
    if (phase.name === 'succeeded') return;
    if (phase.name === 'over' && phase.outcome === 'exchanged')
      return this.publish(linkAttributes({ state: 'connected', error: null }));
    if (deadlines.link === undefined && this.isNamed) await deadlines.check();
    const { link } = deadlines;
    if (link) this.publish(linkAttributes(link));
    else if (this.isNamed) this.clear();
  }
}
