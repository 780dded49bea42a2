import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDraftSaver } from './draft-saver.ts';
import type { Written } from './draft.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const typed = (text: string): Written => ({ text, marks: [] });

/** A device and a server; `cut` breaks the line between them. */
function aDesk() {
  const line = { isCut: false, delayMs: 0 };
  const answered: string[] = [];
  const arrived: string[] = [];
  const saver = createDraftSaver<Written>({
    onSaved: ({ text }) => answered.push(text),
    save: async ({ text }) => {
      await new Promise((resolve) => setTimeout(resolve, line.delayMs));
      if (line.isCut) throw new Error('No connection.');
      arrived.push(text);
    },
  });
  return { saver, line, answered, arrived };
}

const settle = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('what is typed is at the server within two seconds, also while one goes on typing', async () => {
  const { saver, answered, arrived } = aDesk();
  for (let i = 1; i <= 10; i += 1) {
    saver.change(typed('x'.repeat(i)));
    expect(saver.get()).toBe('device');
    await settle(200);
  }
  expect(arrived.length).toBeGreaterThan(0);
  await settle(2_000);
  expect(arrived.at(-1)).toBe('x'.repeat(10));
  expect([answered, saver.get()]).toEqual([arrived, 'server']);
});

test('without a connection it stays on the device, and arrives when the connection is back', async () => {
  const { saver, line, answered, arrived } = aDesk();
  line.isCut = true;
  saver.change(typed('a'));
  await settle(60_000);
  expect([arrived, saver.get(), answered]).toEqual([[], 'device', []]);
  line.isCut = false;
  saver.flush();
  await settle(100);
  expect([arrived, saver.get()]).toEqual([['a'], 'server']);
});

test('a slow call is never overtaken by a later one', async () => {
  const { saver, line, arrived } = aDesk();
  line.delayMs = 5_000;
  saver.change(typed('a'));
  await settle(1_500);
  saver.change(typed('ab'));
  saver.flush();
  line.delayMs = 0;
  await settle(20_000);
  expect(arrived).toEqual(['a', 'ab']);
});

test('who leaves has it saved without waiting', async () => {
  const { saver, arrived } = aDesk();
  saver.change(typed('a'));
  saver.end();
  await settle(0);
  expect(arrived).toEqual(['a']);
});

test('a draft does not come back behind the answer that was sent', async () => {
  const { saver, line, arrived, answered } = aDesk();
  line.delayMs = 3_000;
  saver.change(typed('a'));
  await settle(1_300);
  let isQuiet = false;
  void saver.pause().then(() => (isQuiet = true));
  await settle(1_000);
  expect(isQuiet).toBe(false);
  await settle(3_000);
  expect([isQuiet, arrived]).toEqual([true, ['a']]);
  saver.flush();
  await settle(60_000);
  expect([arrived, answered]).toEqual([['a'], []]);
});

test('what the server will not have is not sent again and again, and goes with the next change', async () => {
  const tried: string[] = [];
  const saver = createDraftSaver<Written>({
    onSaved: () => undefined,
    save: ({ text }) => {
      tried.push(text);
      return text === 'too long' ? Promise.reject(new Error('400')) : Promise.resolve();
    },
    isFinal: ({ message }: Error) => message === '400',
  });
  saver.change(typed('too long'));
  await settle(120_000);
  expect([tried, saver.get()]).toEqual([['too long'], 'device']);
  saver.flush();
  await settle(120_000);
  expect(tried).toEqual(['too long', 'too long']);
  saver.change(typed('short'));
  await settle(2_000);
  expect([tried.at(-1), saver.get()]).toEqual(['short', 'server']);
});

test('what was typed while a refusal was on its way is sent all the same', async () => {
  const tried: string[] = [];
  const saver = createDraftSaver<Written>({
    onSaved: () => undefined,
    save: async ({ text }) => {
      tried.push(text);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      if (text === 'too long') throw new Error('400');
    },
    isFinal: () => true,
  });
  saver.change(typed('too long'));
  await settle(2_000);
  saver.change(typed('short'));
  await settle(20_000);
  expect([tried, saver.get()]).toEqual([['too long', 'short'], 'server']);
});
