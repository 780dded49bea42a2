const COMMON_PASSWORD = 'This password is very common, so it’s easy to guess. Please choose another.';
const OWN_NAME_PASSWORD =
  'This is your name or email, so it’s easy to guess. Please choose another password.';
const COMMUNITY_NAME_PASSWORD =
  'This is the community’s or teacher’s name, so it’s easy to guess. Please choose another password.';

/** Names that are easy to guess for anyone who knows the user or the community. */
export type GuessableNames = { own: readonly (string | null)[]; community: readonly string[] };

/**
 * Explains to the user why a new password is easy to guess. Ignores case, accents, and digits or punctuation
 * around a name, so 'Tashi.2026!' counts as the name Tashi.
 * @returns a sentence; null if the password is not known to be easy to guess
 */
export async function explainGuessablePassword(
  password: string,
  { own, community }: GuessableNames,
): Promise<string | null> {
  if ((await loadCommonPasswords()).has(password.trim().toLowerCase())) return COMMON_PASSWORD;
  const core = getCore(password);
  if (core === '') return null;
  if (own.some((name) => isPartOfName(core, name ?? ''))) return OWN_NAME_PASSWORD;
  return community.some((name) => isPartOfName(core, name)) ? COMMUNITY_NAME_PASSWORD : null;
}

/** Returns whether `core` is the whole name, one of its words, or the part of an email before the @. */
const isPartOfName = (core: string, name: string) =>
  [name, name.split('@')[0]!, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)].some((part) => getCore(part) === core);

/** Returns the letters of a text, and any digits between them, in lower case and without accents. */
const getCore = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll(/^\p{N}+|\p{N}+$/gu, '')
    .toLowerCase();

let commonPasswordsPromise: Promise<ReadonlySet<string>> | undefined;

/** Loads about 49,000 leaked passwords at the first use, so that they don't delay startup. */
const loadCommonPasswords = () =>
  (commonPasswordsPromise ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => String(one).toLowerCase())),
  ));
