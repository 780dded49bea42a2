import { expect, test, vi } from 'vitest';
import { createResourceScope } from './resource-scope.ts';

test('ending a scope releases each resource once, in reverse order', () => {
  const ended: string[] = [];
  const scope = createResourceScope();
  scope.own(() => ended.push('stream'));
  scope.own(() => ended.push('context'));
  scope.end();
  scope.end();
  expect(ended).toEqual(['context', 'stream']);
});

test('an ended scope ignores new listeners and timers, and releases new resources', () => {
  vi.useFakeTimers();
  const scope = createResourceScope();
  const called = vi.fn();
  const target = new EventTarget();
  scope.listen(target, 'mute', called);
  scope.after(10, called);
  scope.end();
  scope.listen(target, 'mute', called);
  scope.after(10, called);
  target.dispatchEvent(new Event('mute'));
  vi.runAllTimers();
  expect(called).not.toHaveBeenCalled();
  scope.own(called);
  expect(called).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
