import { expect, test } from 'vitest';
import { describeDeletionImpact } from './deletion-impact.ts';

test('describes what is deleted along with a user', () => {
  expect(describeDeletionImpact({ recordingCount: 14, feedbackCount: 9 })).toBe(
    '14 recordings and the feedback on 9 of them will be deleted too.',
  );
  expect(describeDeletionImpact({ recordingCount: 1, feedbackCount: 1 })).toBe(
    '1 recording and its feedback will be deleted too.',
  );
  expect(describeDeletionImpact({ recordingCount: 1, feedbackCount: 0 })).toBe(
    '1 recording will be deleted too.',
  );
  expect(describeDeletionImpact({ recordingCount: 0, feedbackCount: 0 })).toBeNull();
});
