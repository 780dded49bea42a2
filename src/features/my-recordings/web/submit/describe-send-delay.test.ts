import { expect, test } from 'vitest';
import { IDLE_TAKE_SENDER } from '#features/recordings/web/takes/take-sender.ts';
import { isTakeBeingSent, describeSendDelay } from './describe-send-delay.ts';

const now = new Date(2026, 10, 20, 18, 0);
const at = (until: Date | null) =>
  describeSendDelay({ reason: 'Enough for today.', until: until && until.getTime() }, now);
const WHY = 'Enough for today.';

test('shows the server’s reason and when the recording will be sent', () => {
  expect(at(new Date(2026, 10, 20, 21, 5))).toBe(
    `${WHY} Open this page again after 21:05 and it will be sent.`,
  );
  expect(at(new Date(2026, 10, 21, 9, 5))).toBe(
    `${WHY} Open this page again tomorrow after 09:05 and it will be sent.`,
  );
  expect(at(new Date(2026, 10, 20, 18, 5))).toBe(`${WHY} Keep this page open and it will be sent.`);
  expect(at(null)).toBe(`${WHY} Keep this page open and it will be sent.`);
});

test('isTakeBeingSent is false while the sender only checks whether it may send again', () => {
  const sending = { ...IDLE_TAKE_SENDER, id: 'one' };
  const waits = { ...sending, blockedBy: 'asked-to-wait' } as const;
  expect([sending, waits, { ...waits, fraction: 0.2 }].map((each) => isTakeBeingSent(each, 'one'))).toEqual([
    true,
    false,
    true,
  ]);
  expect(isTakeBeingSent(sending, 'another')).toBe(false);
});
