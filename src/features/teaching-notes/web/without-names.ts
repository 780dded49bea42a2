import { folded } from '#shared/search-words.ts';

export type Student = { firstName: string | null; lastName: string | null; username: string };

/**
 * Removes the student's name from feedback, so that everyone may read it: first and last name, or the username if
 * there is no name. The result is a proposal for the teacher to check. A lowercase name is removed only where it
 * addresses the student, since many names are also words that are sung.
 */
export function withoutNames(text: string, student: Student): string {
  const named = textWithoutTibetanNames(text, namesOf(student));
  return runsIn(named, namesOf(student)).reverse().reduce(without, named).trim();
}

/** Returns the student's names still in the text, as written there. */
export function namesIn(text: string, student: Student): string[] {
  const names = namesOf(student);
  const found = wordsIn(text).filter(({ word }) => isNamed(word, names));
  const tibetan = tibetanOf(names).filter((name) => text.includes(name));
  return [...new Set([...found.map(({ word }) => word), ...tibetan])];
}

function namesOf({ firstName, lastName, username }: Student): string[] {
  const given = [firstName?.trim() || username, lastName?.trim() ?? ''];
  return (
    given
      .flatMap((name) => [
        ...(name.match(TIBETAN_RUN) ?? []).map((run) => run.replace(/^[་།]+|[་།]+$/gu, '')),
        ...wordsIn(name.replaceAll(TIBETAN_RUN, ' ')).map(({ word }) => word),
      ])
      // A single letter is more often a word of the text.
      .filter((name) => name.length > 1)
  );
}

type Word = { word: string; from: number; to: number };

function wordsIn(text: string): Word[] {
  let to = 0;
  return text.split(/([\p{L}\p{M}\p{N}]+)/u).flatMap((word, place) => {
    const from = to;
    to += word.length;
    // Odd parts are words; the others are what lies between them.
    return place % 2 === 1 ? [{ word, from, to }] : [];
  });
}

const TIBETAN_RUN = /\p{Script=Tibetan}+/gu;

const tibetanOf = (names: readonly string[]) => names.filter((name) => /\p{Script=Tibetan}/u.test(name));

const isNamed = (word: string, names: readonly string[]) =>
  names.some((name) => folded(name) === folded(word));

/** Mention of the student: 'Tashi', 'Tashi Dolma', 'Tashi-la', 'Tashi’s'. */
type Run = { from: number; to: number; isPossessive: boolean };

function runsIn(text: string, names: readonly string[]): Run[] {
  const words = wordsIn(text);
  const runs: Run[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const first = words[i]!;
    if (!isNamed(first.word, names)) continue;
    const between = (at: number) => text.slice(words[at]!.to, words[at + 1]?.from);
    let last = i;
    while (/^[ \u00a0-]$/.test(between(last)) && isNamed(words[last + 1]?.word ?? '', names)) last += 1;
    const isTitled = between(last) === '-' && folded(words[last + 1]?.word ?? '') === 'la';
    const { to } = words[isTitled ? last + 1 : last]!;
    const ending = /^['’](?:s(?![\p{L}\p{M}\p{N}])|(?![\p{L}\p{M}\p{N}]))/u.exec(text.slice(to))?.[0] ?? '';
    const run = { from: first.from, to: to + ending.length, isPossessive: ending !== '' };
    const isWritten = words.slice(i, last + 1).every(({ word }) => isWrittenAsName(word));
    i = last;
    if (isPartOfWord(text, run)) continue;
    if (isWritten || isCalled(text, run)) runs.push(run);
  }
  return runs;
}

const isWrittenAsName = (word: string) =>
  word.charAt(0) !== word.charAt(0).toLowerCase() && word.slice(1) !== word.slice(1).toUpperCase();

const isPartOfWord = (text: string, { from, to }: Run) =>
  /[\p{L}\p{M}\p{N}]['’-]$/u.test(text.slice(0, from)) || /^['’-]?[\p{L}\p{M}\p{N}]/u.test(text.slice(to));

const startsSentence = (before: string) => /(?:^|[.!?…:\n])\s*["“‘(]?\s*$/u.test(before);

/** Returns whether the name addresses the student: 'tashi, rise' or 'rise, tashi.' */
const isCalled = (text: string, { from, to }: Run) =>
  (startsSentence(text.slice(0, from)) || /,\s*$/u.test(text.slice(0, from))) &&
  /^\s*(?:[,:;!.?…–—]|$)/u.test(text.slice(to));

function without(text: string, { from, to, isPossessive }: Run): string {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const isStart = startsSentence(before);
  if (isPossessive) return `${before}${isStart ? 'The' : 'the'}${after}`;
  if (isStart) return before + capitalized(after.replace(/^[^\S\n]*[,:;!.?…–—-]*\s*/u, ''));
  if (/^\s*(?:[,:;!.?…]|$)/u.test(after)) return before.replace(/,?\s*$/u, '') + after.trimStart();
  return `${before.trimEnd()} ${after.trimStart()}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Removes Tibetan names only where the singing does not continue, so that a name's syllables within a line stay. */
function textWithoutTibetanNames(text: string, names: readonly string[]): string {
  const tibetan = tibetanOf(names);
  if (tibetan.length === 0) return text;
  const name = tibetan.join('|');
  const call = `(?<![\\p{M}\\p{L}]་?)(?:${name})(?:[་ ](?:${name}))?(?:་ལགས)?་?(?![་\\p{M}\\p{L}])\\s*[།༎༔,]*\\s*`;
  return text.replaceAll(new RegExp(call, 'gu'), '');
}
