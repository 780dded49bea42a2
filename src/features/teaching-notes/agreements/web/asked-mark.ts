import type { Feedback, Mark } from '#features/feedback/contract.ts';

/** A mark whose passage may be asked for. */
export type AskedMark = {
  feedback: Pick<Feedback, 'recording' | 'marks'>;
  melodyId: number;
  mark: Mark;
};
