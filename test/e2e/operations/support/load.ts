/** Calls that are repeated until the load ends, whatever they return. */
export interface Load {
  end(): Promise<void>;
}

/**
 * @param callers the number of concurrent callers, each of which calls again as soon as its last
 * call has finished
 */
export function startLoad(callers: number, call: (caller: number) => Promise<unknown>): Load {
  let ended = false;
  const run = async (caller: number): Promise<void> => {
    while (!ended) await call(caller).catch(() => undefined);
  };
  const running = Array.from({ length: callers }, (_, caller) => run(caller));
  return {
    end: async () => {
      ended = true;
      await Promise.all(running);
    },
  };
}
