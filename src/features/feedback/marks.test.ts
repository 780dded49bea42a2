import { expect, test } from 'vitest';
import { normalizeMarks, formatMarks, formatMarkTime, composeWrittenFeedback } from './marks.ts';

test('formats marks as written feedback, one line per mark', () => {
  const marks = normalizeMarks([
    { start: 125.9, end: 131, text: ' Let the breath carry it. ' },
    { start: 42, end: null, text: 'Softer here' },
    { start: 3.2, end: null, text: '' },
  ]);
  expect(composeWrittenFeedback(marks)).toBe(
    '0:03\n0:42 – Softer here\n2:05–2:11 – Let the breath carry it.',
  );
});

test('marks without text give no written feedback, but formatMarks lists their times', () => {
  const marks = [
    { start: 0, end: null, text: '' },
    { start: 42, end: 50, text: '  ' },
  ];
  expect(composeWrittenFeedback(marks)).toBe('');
  expect(formatMarks(normalizeMarks(marks))).toBe('0:00\n0:42–0:50');
});

test('formats a passage within one second as a single time', () => {
  expect(formatMarkTime({ start: 1.2, end: 1.9 })).toBe('0:01');
  expect(formatMarkTime({ start: 1.9, end: 2.1 })).toBe('0:01–0:02');
  expect(formatMarkTime({ start: 60, end: null })).toBe('1:00');
});
