/** Records the responses of a server to the `fetch` calls of this process, headers and bodies. */
export class RecordedAnswers {
  readonly texts: string[] = [];
  private readonly original = globalThis.fetch;

  constructor(private readonly baseUrl: () => string) {
    globalThis.fetch = async (...request) => {
      const response = await this.original.call(globalThis, ...request);
      if (response.url.startsWith(this.baseUrl())) {
        const headers = [...response.headers].map((header) => header.join(': '));
        this.texts.push(...headers, await response.clone().text());
      }
      return response;
    };
  }

  close(): void {
    globalThis.fetch = this.original;
  }
}
