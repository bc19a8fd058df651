import {
  AuthenticationError,
  ServiceConnectionError,
  type CallOptions,
  type Link,
} from '@tributary/node';
import { freshnessOf, oldest, type ProductName } from '../results/freshness.js';
import { linkPart, unreadLink, type LinkPart, type UnreadLink } from '../results/link-part.js';
import type { ToolContext } from '../serving/tool.js';
import { chooseLinks, type ChosenLinks } from './link-choice.js';

/** Hosts wait for a tool for a minute, unless they are configured otherwise. */
const MAX_MS = 30_000;
/** So that a link whose data does not arrive leaves time for the others. */
const EACH: CallOptions = { timeout: 10_000, maxRetries: 1 };
/** As many calls of an app as the service runs at once, less one for the app itself. */
const AT_ONCE = 5;

/** The reading of one or all links within a time, in which a link that fails does not hide the others. */
export class LinkReading {
  readonly #chosen: ChosenLinks;
  readonly #signal: AbortSignal;
  readonly #deadline: AbortSignal;
  readonly #unread: UnreadLink[] = [];

  private constructor(chosen: ChosenLinks, signal: AbortSignal, deadline: AbortSignal) {
    this.#chosen = chosen;
    this.#signal = signal;
    this.#deadline = deadline;
  }

  static async start(
    choice: Parameters<typeof chooseLinks>[0],
    { tributary, options }: ToolContext,
  ): Promise<LinkReading> {
    const deadline = AbortSignal.timeout(MAX_MS);
    const signal = AbortSignal.any([options.signal, deadline]);
    const chosen = await chooseLinks(choice, { tributary, options: { signal } });
    return new LinkReading(chosen, options.signal, deadline);
  }

  /** Options of a call that reads a part of a link. */
  get options(): CallOptions {
    const signal = AbortSignal.any([this.#signal, this.#deadline]);
    return this.#chosen.isNamed ? { signal } : { ...EACH, signal };
  }

  get isOutOfTime(): boolean {
    return this.#deadline.aborted;
  }

  /** Reads every link; those that fail are left out of the results. */
  async each<Result extends object>(
    part: LinkPart,
    read: (linkId: string) => Promise<Result>,
  ): Promise<Result[]> {
    const { ids } = this.#chosen;
    const results: (Result | null)[] = [];
    let started = 0;
    const readOn = async () => {
      for (let index = started++; index < ids.length; index = started++)
        results[index] = await this.orUnread(ids[index] as string, part, read);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readOn));
    return results.filter((result) => result !== null);
  }

  /** @returns null if the part of the link fails */
  async orUnread<Result>(
    linkId: string,
    part: LinkPart,
    read: (linkId: string) => Promise<Result>,
  ): Promise<Result | null> {
    try {
      return await read(linkId);
    } catch (error) {
      this.leaveOut(linkId, part, error);
      return null;
    }
  }

  /** @throws what concerns the whole call, or the link that the caller named */
  leaveOut(linkId: string, part: LinkPart, thrown: unknown): void {
    const error = this.#causeOf(thrown);
    const concernsAll = this.#signal.aborted || error instanceof AuthenticationError;
    if (concernsAll || this.#chosen.isNamed) throw error;
    this.#unread.push(unreadLink(linkId, part, error));
  }

  /** The reason of a signal has no name of this service. */
  #causeOf(error: unknown): unknown {
    return error === this.#deadline.reason
      ? new ServiceConnectionError(`The service did not respond in ${MAX_MS / 1_000} s.`, 'timeout')
      : error;
  }

  /** True if nothing is missing that the arguments ask for. */
  get isComplete(): boolean {
    return this.#unread.length === 0 && this.#chosen.next === null;
  }

  /** The part of a result that names the links in it. */
  covering(links: readonly Link[], products: readonly ProductName[]) {
    const unread = this.#unread.toSorted(
      (a, b) => this.#chosen.ids.indexOf(a.link_id) - this.#chosen.ids.indexOf(b.link_id),
    );
    return {
      ...oldest(links.map((link) => freshnessOf(link, products))),
      links: links.map((link) => linkPart(link, products)),
      unread_links: unread,
      next_links_cursor: this.#chosen.next,
    };
  }
}
