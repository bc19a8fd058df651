import { initialState, reduce, type FlowAction, type FlowState } from './flow-state.js';

/** Holds a value and notifies subscribers; in the form React requires of an external store. */
export class Store<Value> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: Value) {}

  readonly get = (): Value => this.value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(next: Value): void {
    if (next === this.value) return;
    this.value = next;
    for (const listener of [...this.listeners]) listener();
  }
}

export class FlowStore extends Store<FlowState> {
  constructor() {
    super(initialState);
  }

  dispatch(action: FlowAction): void {
    this.set(reduce(this.get(), action));
  }
}
