import { randomOf } from '#testing/random.ts';

/** The outcome of a disaster. */
export type Findings = {
  runs: number;
  /** How often each kind of strike happened. */
  strikes: Record<string, number>;
  /** Sentences on what is lost, there twice, or left over. */
  harm: string[];
};

/** Options of every disaster that strikes several times. */
export type ChaosOptions = {
  runs: number;
  /** Repeats the same strikes. */
  seed: string;
  untilHarmed?: boolean;
  tell?: (sentence: string) => void;
};

export const createFindings = (): Findings => ({ runs: 0, strikes: {}, harm: [] });

export function countStrike(findings: Findings, strike: string) {
  findings.runs += 1;
  findings.strikes[strike] = (findings.strikes[strike] ?? 0) + 1;
}

/**
 * Draws like dealing cards, by the seed: no card repeats before all have come.
 * @param cards a card that is there twice comes twice as often
 */
export function dealCard<T>(cards: readonly T[], seed: string, run: number): T {
  const random = randomOf(`${seed} deal ${Math.floor(run / cards.length)}`);
  const deck = cards.map((card) => ({ card, place: random.next() })).sort((a, b) => a.place - b.place);
  return deck[run % cards.length]!.card;
}
