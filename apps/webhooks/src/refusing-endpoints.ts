/** More than are likely to refuse at a time; of those beyond, the ones that refused longest ago are forgotten. */
const REMEMBERED = 1_000;

/** How an endpoint answered the last attempt that was made there. */
export interface EndpointNews {
  endpoint: string;
  accepted: boolean;
}

/** Endpoints that did not accept the last attempt which this process made there, first or later. */
export class RefusingEndpoints {
  private readonly endpoints = new Set<string>();

  /** @param tell is told of each refusal, and when one accepts again */
  constructor(private readonly tell: (news: EndpointNews) => void = () => undefined) {}

  note(news: EndpointNews): void {
    const { endpoint, accepted } = news;
    const refused = this.endpoints.delete(endpoint);
    if (!accepted) this.remember(endpoint);
    if (!accepted || refused) this.tell(news);
  }

  get all(): string[] {
    return [...this.endpoints];
  }

  private remember(endpoint: string): void {
    this.endpoints.add(endpoint);
    const [longestAgo] = this.endpoints;
    if (this.endpoints.size > REMEMBERED && longestAgo !== undefined)
      this.endpoints.delete(longestAgo);
  }
}
