import type { Service } from '../../../operator/src/service.js';
import type { ConsoleParts } from './operation.js';

type Asked = Pick<ConsoleParts, 'service' | 'now'>;

/** Keeps an answer in the process for some time, for every person who asks; a failure is not kept. */
export function keptFor<Answer>(
  ms: number,
  read: (parts: Asked) => Promise<Answer>,
): (parts: Asked) => Promise<Answer> {
  const kept = new WeakMap<Service, { until: number; answer: Promise<Answer> }>();
  return (parts) => {
    const now = parts.now().getTime();
    const last = kept.get(parts.service);
    if (last !== undefined && now < last.until && last.until - now <= ms) return last.answer;
    const entry = { until: now + ms, answer: read(parts) };
    kept.set(parts.service, entry);
    entry.answer.catch(() => {
      if (kept.get(parts.service) === entry) kept.delete(parts.service);
    });
    return entry.answer;
  };
}
