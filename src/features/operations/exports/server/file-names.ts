/**
 * Characters that are not allowed in file names: those that Windows forbids, those that other systems read as
 * part of a path, and invisible ones (control characters, writing-direction marks, zero-width spaces).
 */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** Names of devices, which Windows reserves with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;

/**
 * Maximum length of a name. With folder, date and extension, paths stay below the limits of Windows (260
 * characters) and of most file systems (255 bytes per name).
 */
const MAX_LENGTH = { characters: 80, bytes: 150 };

/**
 * Turns user input into a file name that is valid on any system, without an extension; 'Untitled' by default.
 */
export function toSafeFileName(typed: string): string {
  const plain = typed.toWellFormed().normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  // Removes dots and spaces at both ends, because a name that starts with a dot is hidden, and Windows drops a
  // dot or space at the end.
  const name = shorten(plain.replace(/^[. ]+/, '')).replace(/[. ]+$/, '');
  if (name === '') return 'Untitled';
  return RESERVED.test(name) ? `_${name}` : name;
}

/**
 * Shortens a text without splitting a letter. Part of a Tibetan stack or of an emoji could mean something else.
 */
function shorten(text: string): string {
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const longer = short + segment;
    if (longer.length > MAX_LENGTH.characters || Buffer.byteLength(longer) > MAX_LENGTH.bytes) break;
    short = longer;
  }
  return short;
}

/**
 * Creates a function that makes names unique, even on systems that ignore case. It adds ' (2)' to the second of
 * two equal names.
 * @param endings suffixes that are added to the names later; the names with these suffixes are unique too
 */
export function createUniqueFileNamer(endings: readonly string[] = ['']) {
  const taken = new Set<string>();
  const tries = new Map<string, number>();
  const getKeys = (name: string) => endings.map((ending) => toComparable(name + ending));
  return function unique(requested: string): string {
    for (let at = tries.get(toComparable(requested)) ?? 1; ; at += 1) {
      const name = at === 1 ? requested : `${requested} (${at})`;
      const keys = getKeys(name);
      if (keys.some((key) => taken.has(key))) continue;
      keys.forEach((key) => taken.add(key));
      tries.set(toComparable(requested), at + 1);
      return name;
    }
  };
}

const toComparable = (name: string) => name.normalize('NFKC').toUpperCase();
