/** Calls made over and over until it is ended, whatever they answer. */
export interface Load {
  end(): Promise<void>;
}

/** @param callers how many call at once, each as soon as its last call has ended */
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
