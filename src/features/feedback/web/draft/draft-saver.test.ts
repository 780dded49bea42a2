import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDraftSaver } from './draft-saver.ts';
import type { WrittenReply } from './written-reply.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const buildReply = (text: string): WrittenReply => ({ text, marks: [] });

/** Creates a draft saver with a fake server; `line` cuts or delays the connection between them. */
function aDesk() {
  const line = { isCut: false, delayMs: 0 };
  const answered: string[] = [];
  const arrived: string[] = [];
  const saver = createDraftSaver<WrittenReply>({
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

test('saves a draft within two seconds, even while typing continues', async () => {
  const { saver, answered, arrived } = aDesk();
  for (let i = 1; i <= 10; i += 1) {
    saver.scheduleSave(buildReply('x'.repeat(i)));
    expect(saver.get()).toBe('device');
    await settle(200);
  }
  expect(arrived.length).toBeGreaterThan(0);
  await settle(2_000);
  expect(arrived.at(-1)).toBe('x'.repeat(10));
  expect([answered, saver.get()]).toEqual([arrived, 'server']);
});

test('changes made offline stay on the device and are saved on the next flush', async () => {
  const { saver, line, answered, arrived } = aDesk();
  line.isCut = true;
  saver.scheduleSave(buildReply('a'));
  await settle(60_000);
  expect([arrived, saver.get(), answered]).toEqual([[], 'device', []]);
  line.isCut = false;
  saver.flush();
  await settle(100);
  expect([arrived, saver.get()]).toEqual([['a'], 'server']);
});

test('a save waits for an earlier slow save to finish', async () => {
  const { saver, line, arrived } = aDesk();
  line.delayMs = 5_000;
  saver.scheduleSave(buildReply('a'));
  await settle(1_500);
  saver.scheduleSave(buildReply('ab'));
  saver.flush();
  line.delayMs = 0;
  await settle(20_000);
  expect(arrived).toEqual(['a', 'ab']);
});

test('end() saves the draft immediately', async () => {
  const { saver, arrived } = aDesk();
  saver.scheduleSave(buildReply('a'));
  saver.end();
  await settle(0);
  expect(arrived).toEqual(['a']);
});

test('pause() waits for the save in flight and prevents later saves', async () => {
  const { saver, line, arrived, answered } = aDesk();
  line.delayMs = 3_000;
  saver.scheduleSave(buildReply('a'));
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

test('a rejected draft is not retried until the next change or flush', async () => {
  const tried: string[] = [];
  const saver = createDraftSaver<WrittenReply>({
    onSaved: () => undefined,
    save: ({ text }) => {
      tried.push(text);
      return text === 'too long' ? Promise.reject(new Error('400')) : Promise.resolve();
    },
    isFinal: ({ message }: Error) => message === '400',
  });
  saver.scheduleSave(buildReply('too long'));
  await settle(120_000);
  expect([tried, saver.get()]).toEqual([['too long'], 'device']);
  saver.flush();
  await settle(120_000);
  expect(tried).toEqual(['too long', 'too long']);
  saver.scheduleSave(buildReply('short'));
  await settle(2_000);
  expect([tried.at(-1), saver.get()]).toEqual(['short', 'server']);
});

test('changes made while a save is being rejected are still saved', async () => {
  const tried: string[] = [];
  const saver = createDraftSaver<WrittenReply>({
    onSaved: () => undefined,
    save: async ({ text }) => {
      tried.push(text);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      if (text === 'too long') throw new Error('400');
    },
    isFinal: () => true,
  });
  saver.scheduleSave(buildReply('too long'));
  await settle(2_000);
  saver.scheduleSave(buildReply('short'));
  await settle(20_000);
  expect([tried, saver.get()]).toEqual([['too long', 'short'], 'server']);
});
