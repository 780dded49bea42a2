import { foldText } from '#shared/search-words.ts';

export type StudentFullNameFields = { firstName: string | null; lastName: string | null; username: string };

/**
 * Removes the student's first name (the username, if there is none) and last name from feedback, so that
 * everyone may read the feedback. The result is a proposal for the teacher to check. A name in all lower or
 * all upper case is removed only where it addresses the student, because many names are also words that are
 * sung.
 */
export function removeStudentNames(text: string, student: StudentFullNameFields): string {
  const named = removeTibetanNames(text, getNames(student));
  return findMentions(named, getNames(student)).reverse().reduce(removeMention, named).trim();
}

/** Returns the student's names that are still in the text, as they are written there. */
export function findStudentNames(text: string, student: StudentFullNameFields): string[] {
  const names = getNames(student);
  const found = splitWords(text).filter(({ word }) => isName(word, names));
  const tibetan = filterTibetan(names).filter((name) => text.includes(name));
  return [...new Set([...found.map(({ word }) => word), ...tibetan])];
}

function getNames({ firstName, lastName, username }: StudentFullNameFields): string[] {
  const given = [firstName?.trim() || username, lastName?.trim() ?? ''];
  return (
    given
      .flatMap((name) => [
        ...(name.match(TIBETAN_RUN) ?? []).map((run) => run.replace(/^[་།]+|[་།]+$/gu, '')),
        ...splitWords(name.replaceAll(TIBETAN_RUN, ' ')).map(({ word }) => word),
      ])
      // Skips single letters, which are more often words of the text than names.
      .filter((name) => name.length > 1)
  );
}

type Word = { word: string; from: number; to: number };

function splitWords(text: string): Word[] {
  let to = 0;
  return text.split(/([\p{L}\p{M}\p{N}]+)/u).flatMap((word, place) => {
    const from = to;
    to += word.length;
    // Skips parts at even indices, which are the text between the words.
    return place % 2 === 1 ? [{ word, from, to }] : [];
  });
}

const TIBETAN_RUN = /\p{Script=Tibetan}+/gu;

const filterTibetan = (names: readonly string[]) => names.filter((name) => /\p{Script=Tibetan}/u.test(name));

const isName = (word: string, names: readonly string[]) =>
  names.some((name) => foldText(name) === foldText(word));

/** Mention of the student: 'Tashi', 'Tashi Dolma', 'Tashi-la', 'Tashi’s'. */
type NameMention = { from: number; to: number; isPossessive: boolean };

function findMentions(text: string, names: readonly string[]): NameMention[] {
  const words = splitWords(text);
  const runs: NameMention[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const first = words[i]!;
    if (!isName(first.word, names)) continue;
    const between = (at: number) => text.slice(words[at]!.to, words[at + 1]?.from);
    let last = i;
    while (/^[ \u00a0-]$/.test(between(last)) && isName(words[last + 1]?.word ?? '', names)) last += 1;
    const isTitled = between(last) === '-' && foldText(words[last + 1]?.word ?? '') === 'la';
    const { to } = words[isTitled ? last + 1 : last]!;
    const ending = /^['’](?:s(?![\p{L}\p{M}\p{N}])|(?![\p{L}\p{M}\p{N}]))/u.exec(text.slice(to))?.[0] ?? '';
    const run = { from: first.from, to: to + ending.length, isPossessive: ending !== '' };
    const isWritten = words.slice(i, last + 1).every(({ word }) => isWrittenAsName(word));
    i = last;
    if (isPartOfWord(text, run)) continue;
    if (isWritten || isFormOfAddress(text, run)) runs.push(run);
  }
  return runs;
}

const isWrittenAsName = (word: string) =>
  word.charAt(0) !== word.charAt(0).toLowerCase() && word.slice(1) !== word.slice(1).toUpperCase();

const isPartOfWord = (text: string, { from, to }: NameMention) =>
  /[\p{L}\p{M}\p{N}]['’-]$/u.test(text.slice(0, from)) || /^['’-]?[\p{L}\p{M}\p{N}]/u.test(text.slice(to));

const startsSentence = (before: string) => /(?:^|[.!?…:\n])\s*["“‘(]?\s*$/u.test(before);

/** Returns whether the name addresses the student: 'tashi, rise' or 'rise, tashi.' */
const isFormOfAddress = (text: string, { from, to }: NameMention) =>
  (startsSentence(text.slice(0, from)) || /,\s*$/u.test(text.slice(0, from))) &&
  /^\s*(?:[,:;!.?…–—]|$)/u.test(text.slice(to));

function removeMention(text: string, { from, to, isPossessive }: NameMention): string {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const isStart = startsSentence(before);
  if (isPossessive) return `${before}${isStart ? 'The' : 'the'}${after}`;
  if (isStart) return before + capitalize(after.replace(/^[^\S\n]*[,:;!.?…–—-]*\s*/u, ''));
  if (/^\s*(?:[,:;!.?…]|$)/u.test(after)) return before.replace(/,?\s*$/u, '') + after.trimStart();
  return `${before.trimEnd()} ${after.trimStart()}`;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Removes Tibetan names that stand alone. Next to another syllable, the name may be part of a sung line.
 */
function removeTibetanNames(text: string, names: readonly string[]): string {
  const tibetan = filterTibetan(names);
  if (tibetan.length === 0) return text;
  const name = tibetan.join('|');
  const call = `(?<![\\p{M}\\p{L}]་?)(?:${name})(?:[་ ](?:${name}))?(?:་ལགས)?་?(?![་\\p{M}\\p{L}])\\s*[།༎༔,]*\\s*`;
  return text.replaceAll(new RegExp(call, 'gu'), '');
}
