import { deserialize, serialize } from 'node:v8';

/** Rejects values that a message cannot carry, as the browser does. */
const structuredClone = (data: unknown): unknown => deserialize(serialize(data));

// jsdom has neither; these deliver asynchronously and copy the data, like browsers do.
type Listener = ((event: MessageEvent) => void) | null;

class FakePort {
  onmessage: Listener = null;
  other: FakePort | undefined;
  closed = false;

  postMessage(data: unknown): void {
    const copy = structuredClone(data);
    void Promise.resolve().then(() => {
      if (!this.closed && this.other?.closed === false)
        this.other.onmessage?.(new MessageEvent('message', { data: copy }));
    });
  }

  close(): void {
    this.closed = true;
  }
}

class FakeMessageChannel {
  readonly port1 = new FakePort();
  readonly port2 = new FakePort();

  constructor() {
    this.port1.other = this.port2;
    this.port2.other = this.port1;
  }
}

const open = new Set<FakeBroadcastChannel>();

class FakeBroadcastChannel {
  onmessage: Listener = null;

  constructor(readonly name: string) {
    open.add(this);
  }

  postMessage(data: unknown): void {
    const copy = structuredClone(data);
    void Promise.resolve().then(() => {
      for (const other of open) {
        if (other !== this && other.name === this.name)
          other.onmessage?.(new MessageEvent('message', { data: copy }));
      }
    });
  }

  close(): void {
    open.delete(this);
  }
}

export function installMessagePorts(): void {
  Object.assign(globalThis, {
    MessageChannel: FakeMessageChannel,
    BroadcastChannel: FakeBroadcastChannel,
  });
}

/** Broadcast channels that were not closed. */
export const openBroadcastChannels = (): number => open.size;

/** Waits until all posted messages have arrived. */
export async function delivered(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
