const COMMON_PASSWORD = 'This password is very common, so it’s easy to guess. Please choose another.';
const OWN_NAME_PASSWORD =
  'This is your name or email, so it’s easy to guess. Please choose another password.';
const COMMUNITY_NAME_PASSWORD =
  'This is the community’s or teacher’s name, so it’s easy to guess. Please choose another password.';

/** Names that others associate with the person who chooses the password. */
export type KnownNames = { own: readonly (string | null)[]; community: readonly string[] };

/**
 * Explains why a new password is easy to guess, in a sentence for its owner; null if it isn't. Ignores case,
 * accents, and digits or signs around a name, so 'Tashi.2026!' counts as the name Tashi.
 */
export async function explainGuessablePassword(
  password: string,
  { own, community }: KnownNames,
): Promise<string | null> {
  if ((await loadCommonPasswords()).has(password.trim().toLowerCase())) return COMMON_PASSWORD;
  const core = getCore(password);
  if (core === '') return null;
  if (own.some((name) => isPartOfName(core, name ?? ''))) return OWN_NAME_PASSWORD;
  return community.some((name) => isPartOfName(core, name)) ? COMMUNITY_NAME_PASSWORD : null;
}

/** Returns whether the text is the full name or one of its words. */
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

/** Loads about 49,000 leaked passwords. Loaded on first use, so that they don't delay startup. */
const loadCommonPasswords = () =>
  (commonPasswordsPromise ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => String(one).toLowerCase())),
  ));
