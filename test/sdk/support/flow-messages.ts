import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FLOWS = fileURLToPath(new URL('../../../packages/connect-vectors/flows/', import.meta.url));

export interface Envelope {
  type: string;
  channel: string;
  payload: Record<string, unknown>;
}

interface Trace {
  then: {
    input: { type: string; text?: string };
    effects: { type: string; envelope?: Envelope }[];
  }[];
}

/** Every message in the traces of the flows that some SDK acts on, with its sender. */
export function vectorFlows(): { from: 'page' | 'app'; envelope: Envelope }[] {
  const traces = readdirSync(FLOWS).flatMap(
    (file) => JSON.parse(readFileSync(FLOWS + file, 'utf8')) as Trace[],
  );
  return traces
    .flatMap(({ then }) => then)
    .flatMap(({ input, effects }) => [
      ...(input.type === 'message' && effects.length > 0
        ? [{ from: 'page' as const, envelope: JSON.parse(input.text ?? '') as Envelope }]
        : []),
      ...effects.flatMap(({ envelope }) =>
        envelope === undefined ? [] : [{ from: 'app' as const, envelope }],
      ),
    ]);
}
