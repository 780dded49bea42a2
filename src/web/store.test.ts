import { expect, test, vi } from 'vitest';
import { createEventEmitter, createStore } from './store.ts';

test('notifies subscribers only if the value changes', () => {
  const store = createStore('still');
  const listener = vi.fn(() => store.get());
  store.subscribe(listener);
  store.set('playing');
  store.set('playing');
  expect(listener.mock.results).toEqual([{ type: 'return', value: 'playing' }]);
});

test('a store still returns its initial value for hydration after a change', () => {
  const store = createStore(1);
  store.set(2);
  expect([store.get(), store.getInitial()]).toEqual([2, 1]);
});

test('does not call a listener that an earlier listener has unsubscribed', () => {
  const { subscribe, notify, isWatched } = createEventEmitter();
  const later = vi.fn();
  const leave = subscribe(() => leaveLater());
  const leaveLater = subscribe(later);
  notify();
  leave();
  expect(later).not.toHaveBeenCalled();
  expect(isWatched()).toBe(false);
});

test('calls a listener only once per change, even if it resubscribes when called', () => {
  const { subscribe, notify } = createEventEmitter();
  const listener = vi.fn(() => {
    leave();
    leave = subscribe(listener);
  });
  let leave = subscribe(listener);
  notify();
  expect(listener).toHaveBeenCalledOnce();
});

test('does not call listeners after clear()', () => {
  const store = createStore(1);
  const listener = vi.fn();
  store.subscribe(listener);
  store.clear();
  store.set(2);
  expect(listener).not.toHaveBeenCalled();
});
