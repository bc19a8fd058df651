import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that reached a server of this process, and its response. */
export interface TappedCall {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  /** As text, complete once the response has finished. */
  requestBody: string;
  responseBody: string;
}

const CHANNEL = 'http.server.request.start';

/** Records every call of the HTTP servers of this process: for tests that own both ends. */
export class HttpTap {
  readonly calls: TappedCall[] = [];

  constructor() {
    subscribe(CHANNEL, this.record);
  }

  close(): void {
    unsubscribe(CHANNEL, this.record);
  }

  private readonly record = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, requestBody: '', responseBody: '' };
    this.calls.push(call);
    // A listener for data would take the data from the server.
    const emit = request.emit.bind(request);
    request.emit = (event: string | symbol, ...values: unknown[]) => {
      if (event === 'data') call.requestBody += String(values[0]);
      return emit(event, ...values);
    };
    for (const name of ['write', 'end'] as const) {
      const send = response[name].bind(response) as (...values: unknown[]) => never;
      response[name] = (...values: unknown[]) => {
        const [chunk] = values;
        if (typeof chunk === 'string' || chunk instanceof Uint8Array)
          call.responseBody += Buffer.from(chunk as Uint8Array).toString();
        return send(...values);
      };
    }
  };
}
