import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { unattended } from './attention.js';
import { asFailure, type CallFailed } from './call-failed.js';
import { read } from './call.js';
import { delayAfter } from './delay-after.js';
import { useSignal } from './use-signal.js';

/** Of the list or the link that is being looked at. */
export const LIVELY_MS = 5_000;
/** Of counts. */
export const CALM_MS = 60_000;

export interface ReadOptions {
  /** The pause between two reads while the page is visible; none without it. */
  every?: number;
  /** True if the answer to the previous path stays until the next one arrives, as of pages of one list. */
  keepsPrevious?: boolean;
}

/** What is known of an address: an answer, a failure, both (the last read failed) or neither (the first is in progress). */
export interface Reading<Answer> {
  data: Answer | undefined;
  failure: CallFailed | null;
  /** The time of the answer, in milliseconds; 0 without one. */
  readAt: number;
  isReading: boolean;
  again: () => void;
}

/** Failed reads in a row, by path. */
const failures = new Map<string, number>();

/** Reads an address below /api, and again while someone looks. Null: nothing is read yet. */
export function useRead<Answer>(
  path: string | null,
  { every, keepsPrevious = false }: ReadOptions = {},
): Reading<Answer> {
  const isUnattended = useSignal(unattended);
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery<Answer>({
    queryKey: [path],
    enabled: path !== null,
    queryFn: ({ signal }) => counted(path ?? '', read<Answer>(path ?? '', signal)),
    refetchInterval:
      every === undefined || isUnattended
        ? false
        : () => delayAfter(failures.get(path ?? '') ?? 0, every),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
  return {
    data,
    failure: error === null ? null : asFailure(error),
    readAt: dataUpdatedAt,
    isReading: isFetching,
    again: () => void refetch(),
  };
}

async function counted<Answer>(path: string, reading: Promise<Answer>): Promise<Answer> {
  try {
    const answer = await reading;
    failures.delete(path);
    return answer;
  } catch (error) {
    failures.set(path, (failures.get(path) ?? 0) + 1);
    throw error;
  }
}
