import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { asFailure, type CallFailed } from './call-failed.js';
import { change, type Change } from './call.js';

export interface Changing<Answer> {
  isSending: boolean;
  failure: CallFailed | null;
  /** @returns the answer, or undefined after a failure, which `failure` then holds */
  send: (sent: Change) => Promise<{ answer: Answer } | undefined>;
  clear: () => void;
}

/** Sends a change, and reads what is on the screen again afterwards. Its answer is kept nowhere else. */
export function useChange<Answer = unknown>(): Changing<Answer> {
  const queries = useQueryClient();
  const [isSending, setIsSending] = useState(false);
  const [failure, setFailure] = useState<CallFailed | null>(null);
  return {
    isSending,
    failure,
    clear: () => setFailure(null),
    send: async (sent) => {
      setIsSending(true);
      setFailure(null);
      try {
        const answer = await change<Answer>(sent);
        void queries.invalidateQueries();
        return { answer };
      } catch (error) {
        setFailure(asFailure(error));
        return undefined;
      } finally {
        setIsSending(false);
      }
    },
  };
}
