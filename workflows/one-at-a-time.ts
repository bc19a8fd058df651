type Activity = (...args: never[]) => Promise<unknown>;

/**
 * The same local activities, each begun when the one before has ended. Side by side their answers can reach the code
 * in another order when a history is replayed (one by one as they came, or together), which breaks the workflow.
 */
export function oneAtATime<T extends object>(activities: T): T {
  let last: Promise<unknown> = Promise.resolve();
  return new Proxy(activities, {
    get(target, name, receiver) {
      const activity = Reflect.get(target, name, receiver) as Activity;
      return (...args: never[]) => {
        const call = last.then(() => activity(...args));
        last = call.catch(() => undefined);
        return call;
      };
    },
  });
}
