import { expect, test } from 'vitest';
import { createPlayerWithFakes } from './engine/player-fakes.ts';
import type { LoopedLines } from '#features/lyrics/web/line-loops.ts';
import { formatDurationToTenths } from '#web/ui/format-duration.ts';
import {
  getPlayerAnnouncement,
  formatRound,
  formatLoop,
  formatRepeats,
  formatDurationInWordsToTenths,
} from './player-messages.ts';

test('formats times to a tenth of a second, for the screen and for screen readers', () => {
  expect([0, 5.94, 65.3, 119.97].map(formatDurationToTenths)).toEqual([
    '0:00.0',
    '0:05.9',
    '1:05.3',
    '2:00.0',
  ]);
  expect([1, 5.94, 65.3].map(formatDurationInWordsToTenths)).toEqual([
    '1 second',
    '5.9 seconds',
    '1 minute 5.3 seconds',
  ]);
});

test('the text between position and duration shows the loop and the current round', () => {
  const { player, clock } = createPlayerWithFakes();
  const said = (looped: LoopedLines | null = null) =>
    formatLoop(player.snapshot(), looped) + formatRound(player.snapshot());
  expect(said()).toBe('');
  player.seek(10);
  player.setA();
  expect(said()).toBe('A at 0:10.0');
  player.clock.setLoop(10, 12);
  player.play();
  expect(said()).toBe('Loop 0:10.0 – 0:12.0');
  clock.advance(2_100);
  expect(said()).toBe('Loop 0:10.0 – 0:12.0 · 2nd time');
  player.setRepeats(4);
  expect(said()).toBe('Loop 0:10.0 – 0:12.0 · 2 of 4');
  expect(said({ from: 2, to: 2 })).toBe('Line 3 · 0:10.0 – 0:12.0 · 2 of 4');
  expect(said({ from: 2, to: 4 })).toBe('Lines 3–5 · 0:10.0 – 0:12.0 · 2 of 4');
  clock.advance(8_000);
  expect(said()).toBe('Loop · done');
  expect(said({ from: 2, to: 2 })).toBe('Line 3 · done');
});

test('the repeats chip shows the round, or the number of repeats if no loop is set', () => {
  const { player, clock } = createPlayerWithFakes();
  const said = () => formatRepeats(player.snapshot());
  expect(said()).toBeNull();
  player.setRepeats(5);
  expect(said()).toBe('5×');
  player.clock.setLoop(10, 12);
  player.play();
  clock.advance(4_100);
  expect(said()).toBe('3 of 5');
});

test('announces loop changes and the student’s turn to screen readers, not each round', () => {
  const { player, clock } = createPlayerWithFakes({ practice: { repeats: 2, gap: 1 } });
  const said = (looped: LoopedLines | null = null) => getPlayerAnnouncement(player.snapshot(), looped);
  expect(said()).toBe('No loop.');
  player.setA();
  expect(said()).toBe('A point at 0 seconds.');
  player.clock.setLoop(10, 12);
  player.play();
  expect(said()).toBe('Loop from 10 seconds to 12 seconds.');
  expect(said({ from: 2, to: 2 })).toBe('Looping line 3, from 10 seconds to 12 seconds.');
  clock.advance(2_100);
  expect(said()).toBe('Your turn.');
  clock.advance(2_000);
  expect(said()).toBe('Loop from 10 seconds to 12 seconds.');
  clock.advance(8_000);
  expect(said()).toBe('The loop has played 2 times.');
  player.clock.playLine(30);
  expect(said()).toBe('Loop off.');
  player.loopAgain();
  expect(said()).toBe('Loop from 10 seconds to 12 seconds.');
});
