import { createRandomGenerator } from '#testing/random.ts';

/** The results of all runs of a chaos experiment. */
export type Findings = {
  runs: number;
  /** Number of faults of each kind. */
  faults: Record<string, number>;
  /** Sentences about everything that went wrong, for example lost or duplicated data. */
  harm: string[];
};

/** Options for tests that inject several faults. */
export type ChaosOptions = {
  runs: number;
  /** Runs with the same seed have the same faults. */
  seed: string;
  untilHarmed?: boolean;
  report?: (sentence: string) => void;
};

export const createFindings = (): Findings => ({ runs: 0, faults: {}, harm: [] });

export function recordFault(findings: Findings, fault: string) {
  findings.runs += 1;
  findings.faults[fault] = (findings.faults[fault] ?? 0) + 1;
}

/**
 * Draws a card from a deck that is shuffled by the seed. All cards are drawn once before the deck is shuffled
 * again.
 * @param cards the deck; a card may be in it twice, to be drawn twice as often
 */
export function drawFromShuffledDeck<T>(cards: readonly T[], seed: string, run: number): T {
  const random = createRandomGenerator(`${seed} deal ${Math.floor(run / cards.length)}`);
  const deck = cards.map((card) => ({ card, place: random.next() })).sort((a, b) => a.place - b.place);
  return deck[run % cards.length]!.card;
}
