/** More than are likely to refuse at a time; of those beyond, the ones that refused longest ago are forgotten. */
const REMEMBERED = 1_000;

/** Endpoints that did not accept the last attempt which this process made there, first or later. */
export class RefusingEndpoints {
  private readonly endpoints = new Set<string>();

  note(endpoint: string, accepted: boolean): void {
    this.endpoints.delete(endpoint);
    if (accepted) return;
    this.endpoints.add(endpoint);
    const [longestAgo] = this.endpoints;
    if (this.endpoints.size > REMEMBERED && longestAgo !== undefined) this.endpoints.delete(longestAgo);
  }

  get all(): string[] {
    return [...this.endpoints];
  }
}
