import type { SungLineDeviations } from '#features/recordings/contract.ts';

/** Summarizes deviations: 'line 4 left out, lines 1 and 2 twice'. */
export function describeLineDeviations({ leftOut, repeated }: SungLineDeviations): string {
  const times = [...new Set(repeated.map((each) => each.times))].sort((one, other) => one - other);
  return [
    ...(leftOut.length > 0 ? [`${formatLineNumbers(leftOut)} left out`] : []),
    ...times.map((time) => {
      const lines = repeated.filter((each) => each.times === time).map(({ line }) => line);
      return `${formatLineNumbers(lines)} ${REPETITION_WORDS[time] ?? `${time} times`}`;
    }),
  ].join(', ');
}

const REPETITION_WORDS: Record<number, string> = { 2: 'twice', 3: 'three times' };

const list = new Intl.ListFormat('en');

/** Formats line numbers: 'line 4', 'lines 2 and 5', 'lines 2–4 and 7'. */
function formatLineNumbers(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last && number === last.to + 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  const named = runs.flatMap(({ from, to }) => {
    if (from === to) return [String(from)];
    return to === from + 1 ? [String(from), String(to)] : [`${from}–${to}`];
  });
  return `${numbers.length === 1 ? 'line' : 'lines'} ${list.format(named)}`;
}
