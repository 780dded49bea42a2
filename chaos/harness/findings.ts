import { createRandom } from '#testing/random.ts';

/** The outcome of a disaster. */
export type Findings = {
  runs: number;
  /** Number of strikes of each kind. */
  strikes: Record<string, number>;
  /** Sentences about what is lost, duplicated or left over. */
  harm: string[];
};

/** Options for disasters that strike several times. */
export type ChaosOptions = {
  runs: number;
  /** Runs with the same seed have the same strikes. */
  seed: string;
  untilHarmed?: boolean;
  report?: (sentence: string) => void;
};

export const createFindings = (): Findings => ({ runs: 0, strikes: {}, harm: [] });

export function recordStrike(findings: Findings, strike: string) {
  findings.runs += 1;
  findings.strikes[strike] = (findings.strikes[strike] ?? 0) + 1;
}

/**
 * Draws a card from a deck that is shuffled by the seed. All cards are drawn once before the deck is shuffled
 * again.
 * @param cards the deck; a card may be in it twice, to be drawn twice as often
 */
export function drawCard<T>(cards: readonly T[], seed: string, run: number): T {
  const random = createRandom(`${seed} deal ${Math.floor(run / cards.length)}`);
  const deck = cards.map((card) => ({ card, place: random.next() })).sort((a, b) => a.place - b.place);
  return deck[run % cards.length]!.card;
}
