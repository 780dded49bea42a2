import { expect, test, vi } from 'vitest';
import { createTextSearch } from './text-search.ts';

const person = (id: string, name: string) => ({ id, text: `${name} ${id}@example.org` });

const people = [
  person('lhundrup', 'Lhündrup Dorje'),
  person('tashi', 'Tashi Dolma'),
  person('tashi2', 'Tashi Dorje'),
  person('sgrolma', 'བཀྲ་ཤིས སྒྲོལ་མ།'),
  person('sgralma', 'བཀྲ་ཤས སྒྲལ་མ།'),
];
const search = createTextSearch<(typeof people)[number]>(({ text }) => text);
const findIds = (query: string) => search.find(people, query).map(({ id }) => id);

test('finds items that contain every word, in any order, ignoring case and accents', () => {
  expect(findIds('dorje TASHI')).toEqual(['tashi2']);
  expect(findIds('lhundrup')).toEqual(['lhundrup']);
  expect(findIds('Lhu\u0308ndrup')).toEqual(['lhundrup']);
  expect(findIds('example.org dor')).toEqual(['lhundrup', 'tashi2']);
  expect(findIds('nobody')).toEqual([]);
});

test('an empty query returns the list unchanged', () => {
  expect(search.find(people, '  ')).toBe(people);
});

test('distinguishes Tibetan vowels, but ignores a final tsheg in the query', () => {
  expect(findIds('བཀྲ་ཤིས')).toEqual(['sgrolma']);
  expect(findIds('བཀྲ་ཤས')).toEqual(['sgralma']);
  expect(findIds('སྒྲོལ་མ་')).toEqual(['sgrolma']);
});

test('prepare() folds the text of each item once, in batches, until stopped', () => {
  vi.useFakeTimers();
  try {
    const folded: number[] = [];
    const numbers = Array.from({ length: 120 }, (_, number) => ({ number }));
    const { find, prepare } = createTextSearch<{ number: number }>(({ number }) => {
      folded.push(number);
      return `number ${number}`;
    });
    const stop = prepare(numbers);
    vi.advanceTimersToNextTimer();
    expect(folded).toHaveLength(50);
    vi.advanceTimersToNextTimer();
    expect(folded).toHaveLength(100);
    stop();
    vi.runAllTimers();
    expect(folded).toHaveLength(100);
    expect(find(numbers, '119')).toEqual([{ number: 119 }]);
    expect(folded).toHaveLength(120);
  } finally {
    vi.useRealTimers();
  }
});
