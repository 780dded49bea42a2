import { createRandom } from '#testing/random.ts';

/** The outcome of a disaster. */
export type Findings = {
  runs: number;
  /** Number of strikes of each kind. */
  strikes: Record<string, number>;
  /** Sentences about what is lost, duplicated or left over. */
  harm: string[];
};

/** Options of every disaster that strikes several times. */
export type ChaosOptions = {
  runs: number;
  /** The same seed repeats the same strikes. */
  seed: string;
  untilHarmed?: boolean;
  tell?: (sentence: string) => void;
};

export const createFindings = (): Findings => ({ runs: 0, strikes: {}, harm: [] });

export function recordStrike(findings: Findings, strike: string) {
  findings.runs += 1;
  findings.strikes[strike] = (findings.strikes[strike] ?? 0) + 1;
}

/**
 * Draws a card from a deck that is shuffled by the seed. No card repeats before all have been drawn.
 * @param cards the deck; a card that it contains twice is drawn twice as often
 */
export function drawCard<T>(cards: readonly T[], seed: string, run: number): T {
  const random = createRandom(`${seed} deal ${Math.floor(run / cards.length)}`);
  const deck = cards.map((card) => ({ card, place: random.next() })).sort((a, b) => a.place - b.place);
  return deck[run % cards.length]!.card;
}
