import { randomOf } from '../src/demo/random.ts';

/**
 * Draws like dealing cards, by the seed: none repeats before all have come.
 * @param cards one that is there twice comes twice as often
 */
export function dealt<T>(cards: readonly T[], seed: string, run: number): T {
  const random = randomOf(`${seed} deal ${Math.floor(run / cards.length)}`);
  const deck = cards.map((card) => ({ card, place: random.next() })).sort((a, b) => a.place - b.place);
  return deck[run % cards.length]!.card;
}
