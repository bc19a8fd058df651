import fc from 'fast-check';
import {
  idleState,
  step,
  type FlowEffect,
  type FlowInput,
  type FlowSetup,
  type FlowState,
} from '../../packages/connect-react-native/src/flow-machine.js';
import { BASE, moves, OWN_STATE, TOKENS, type Move } from './support/random-flows.js';
import { SEED } from '../support/runner/seed.js';

const RUNS = process.env['LONG_RUNS'] ? 5_000 : 500;

interface Turn {
  before: FlowState;
  input: FlowInput;
  after: FlowState;
  effects: FlowEffect[];
}

const setup = (system: 'ios' | 'android'): FlowSetup => ({
  base: BASE,
  platform: 'react-native',
  system,
  system_version: null,
  sdk: { name: 'connect-react-native', version: '0.1.0' },
});

function play(system: 'ios' | 'android', list: readonly Move[]): Turn[] {
  let state = idleState(setup(system));
  return list.map((move, index) => {
    const before = state;
    const input = move(before, index * 7_000);
    const { state: after, effects } = step(before, input);
    state = after;
    return { before, input, after, effects };
  });
}

const effectsOf = <Type extends FlowEffect['type']>(turns: readonly Turn[], type: Type) =>
  turns
    .flatMap(({ effects }) => effects)
    .filter((effect): effect is Extract<FlowEffect, { type: Type }> => effect.type === type);

/** Of each flow that was started, by its number. */
function finalCallbacks(turns: readonly Turn[]): Map<number, string[]> {
  const finals = new Map<number, string[]>();
  for (const { flow, callback } of effectsOf(turns, 'call')) {
    const isFinal = callback === 'onSuccess' || callback === 'onExit';
    if (isFinal) finals.set(flow, [...(finals.get(flow) ?? []), callback]);
  }
  return finals;
}

/** True if the property holds for every order of inputs, on both systems. */
function holds(property: (turns: Turn[]) => void): void {
  fc.assert(
    fc.property(fc.constantFrom('ios' as const, 'android' as const), moves, (system, list) =>
      property(play(system, list)),
    ),
    { numRuns: RUNS, seed: SEED },
  );
}

describe('A flow in a WebView, in any order of inputs', () => {
  it('ends in exactly one final callback, or in none when it was unmounted', () => {
    holds((turns) => {
      const finals = finalCallbacks(turns);
      const unmounted = new Set(
        turns.flatMap(({ before, input }) => (input.type === 'unmount' ? [before.flow] : [])),
      );
      const last = turns.at(-1)?.after;
      for (let flow = 1; flow <= (last?.flow ?? 0); flow += 1) {
        const called = finals.get(flow)?.length ?? 0;
        const isRunning = flow === last?.flow && ['loading', 'open', 'failed'].includes(last.name);
        if (isRunning) expect(called).toBe(0);
        else if (unmounted.has(flow)) expect(called).toBeLessThanOrEqual(1);
        else expect(called).toBe(1);
      }
    });
  });

  it('calls nothing after the final callback, and nothing of an earlier flow', () => {
    holds((turns) => {
      const ended = new Set<number>();
      const stray: FlowEffect[] = [];
      for (const { after, effects } of turns)
        for (const effect of effects) {
          if (effect.type !== 'call') continue;
          if (effect.flow !== after.flow || ended.has(effect.flow)) stray.push(effect);
          if (effect.callback === 'onSuccess' || effect.callback === 'onExit')
            ended.add(effect.flow);
        }
      expect(stray).toEqual([]);
    });
  });

  it('calls nothing when it is unmounted, and for no input after that', () => {
    holds((turns) => {
      turns.forEach(({ input, before, effects }, index) => {
        if (input.type !== 'unmount') return;
        const later = turns.slice(index + 1).filter(({ after }) => after.flow === before.flow);
        expect(
          [...effects, ...later.flatMap((turn) => turn.effects)].map(({ type }) => type),
        ).not.toContain('call');
      });
    });
  });

  it('leaves the screen, the page and the login at the bank alone for a link that is not its own return', () => {
    holds((turns) => {
      for (const { before, input, after, effects } of turns) {
        if (input.type !== 'opened') continue;
        const isOwn = (before.memory?.stateHashes.length ?? 0) > 0 && input.url.endsWith(OWN_STATE);
        if (isOwn && before.name !== 'last_screen') continue;
        expect(effects.filter(({ type }) => type !== 'ask')).toEqual([]);
        expect(after).toEqual(before);
      }
    });
  });

  it('takes its own return without a question, and once', () => {
    holds((turns) => {
      for (const { before, input, effects } of turns) {
        if (input.type !== 'opened' || !input.url.endsWith(OWN_STATE)) continue;
        const { memory, name } = before;
        if (memory === null || name === 'last_screen' || memory.stateHashes.length === 0) continue;
        const isNew = !memory.taken.includes(OWN_STATE);
        expect(effects.some(({ type }) => type === 'send' || type === 'load')).toBe(isNew);
        expect(effects.map(({ type }) => type)).not.toContain('ask');
      }
    });
  });

  it('asks for a link with the token of the open flow, else with the given or the kept one', () => {
    holds((turns) => {
      for (const { before, input, effects } of turns) {
        if (input.type !== 'opened') continue;
        const isRunning = before.memory !== null && before.name !== 'last_screen';
        const token = isRunning
          ? before.memory.linkSessionToken
          : (input.link_session_token ?? before.keptToken);
        for (const effect of effects)
          if (effect.type === 'ask') expect(effect.link_session_token).toBe(token);
      }
    });
  });

  it('has the token only in init, and in the question to the service', () => {
    holds((turns) => {
      const texts = turns
        .flatMap(({ effects }) => effects)
        .filter(({ type }) => type !== 'ask')
        .filter((effect) => effect.type !== 'send' || effect.envelope.type !== 'init')
        .map((effect) => JSON.stringify(effect));
      expect(texts.filter((text) => TOKENS.some((token) => text.includes(token)))).toEqual([]);
    });
  });

  it('continues without a token given as the newest flow, unless that one has had its final callback', () => {
    holds((turns) => {
      let kept: string | null = null;
      let ofFlow: string | null = null;
      for (const { before, input, after, effects } of turns) {
        const isBegun = after.flow > before.flow;
        if (isBegun && (input.type === 'present' || input.type === 'resume'))
          ofFlow = kept = input.link_session_token ?? kept;
        for (const effect of effects) {
          if (effect.type === 'send' && effect.envelope.type === 'init')
            expect(effect.envelope.payload['link_session_token'] ?? null).toBe(ofFlow);
          if (effect.type === 'call' && /^on(Success|Exit)$/.test(effect.callback)) kept = null;
        }
      }
    });
  });

  it('loads only Connect, and opens only http(s) addresses elsewhere', () => {
    holds((turns) => {
      for (const { address } of effectsOf(turns, 'load'))
        expect(address).toMatch(
          /^https:\/\/api\.example\/connect\/(start|continue)(\?load=\d+)?#channel=/,
        );
      for (const { address } of [
        ...effectsOf(turns, 'open_auth'),
        ...effectsOf(turns, 'open_outside'),
      ])
        expect(address).toMatch(/^https?:\/\/[a-z.]+(\/|$)/);
    });
  });

  it('loads a page again at an address that differs in more than its fragment', () => {
    holds((turns) => {
      const pages = turns.flatMap(({ after, effects }) =>
        effects.flatMap((effect) =>
          effect.type === 'load' ? [`${after.flow} ${effect.address.replace(/#.*$/, '')}`] : [],
        ),
      );
      expect(new Set(pages).size).toBe(pages.length);
    });
  });

  it('leaves no timer and no login behind', () => {
    holds((turns) => {
      const timers = new Set<string>();
      const left: unknown[] = [];
      let login = 0;
      for (const { before, input, after, effects } of turns) {
        if (input.type === 'tick') timers.delete(input.timer);
        if (input.type === 'auth_ended' && before.memory?.login.attempt === input.attempt)
          login = 0;
        for (const effect of effects) {
          if (effect.type === 'timer' && effect.ms === null) timers.delete(effect.name);
          else if (effect.type === 'timer') timers.add(effect.name);
          if (effect.type === 'close_auth') login = 0;
          if (effect.type === 'open_auth') {
            // One session at a time.
            if (login !== 0) left.push(effect);
            login = effect.attempt;
          }
        }
        const isOver = after.name === 'idle' || after.name === 'last_screen';
        if (isOver && (timers.size > 0 || login !== 0))
          left.push({ name: after.name, timers, login });
      }
      expect(left).toEqual([]);
    });
  });

  it('is never a dead end: the app can always remove it from the screen', () => {
    holds((turns) => {
      const last = turns.at(-1);
      if (last === undefined || last.after.name === 'idle') return;
      const at = last.input.at;
      const asked = step(last.after, { type: 'exit', at, force: true });
      const left =
        asked.state.name === 'idle'
          ? asked
          : step(asked.state, { type: 'tick', at: at + 2_000, timer: 'exit' });
      expect(left.state.name).toBe('idle');
      expect(left.effects).toContainEqual({ type: 'remove' });
    });
  });
});
