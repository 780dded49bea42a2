/**
 * What Windows forbids in names, what the other systems read as part of a path, and what is not seen: control
 * characters, changes of the writing direction, spaces without width.
 */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** Devices on Windows, whatever follows the point. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?= *(?:\.|$))/i;

/** With folder, date and ending, paths stay below what Windows (260) and most file systems (255 bytes a name) take. */
const MOST = { characters: 80, bytes: 150 };

/** What a person typed, as the name of a file on any system, without an ending. */
export function safeName(typed: string): string {
  const plain = typed.toWellFormed().normalize('NFC').replace(FORBIDDEN, ' ').replace(/\s+/g, ' ').trim();
  // A name that begins with a point is hidden; one that ends with a point or a space is another one on Windows.
  const name = shortened(plain.replace(/^[. ]+/, '')).replace(/[. ]+$/, '');
  if (name === '') return 'Untitled';
  return RESERVED.test(name) ? `_${name}` : name;
}

/** Whole letters only: what the first ones of a Tibetan stack or an emoji show may be something else. */
function shortened(text: string): string {
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const longer = short + segment;
    if (longer.length > MOST.characters || Buffer.byteLength(longer) > MOST.bytes) break;
    short = longer;
  }
  return short;
}

/**
 * Names of which no two are the same on any system, also where case is ignored; the second gets ' (2)'.
 * @param endings what will be added to a name: with each of them it is unlike all others
 */
export function uniqueNames(endings: readonly string[] = ['']) {
  const taken = new Set<string>();
  const tries = new Map<string, number>();
  const keysOf = (name: string) => endings.map((ending) => comparable(name + ending));
  return function unique(wanted: string): string {
    for (let at = tries.get(comparable(wanted)) ?? 1; ; at += 1) {
      const name = at === 1 ? wanted : `${wanted} (${at})`;
      const keys = keysOf(name);
      if (keys.some((key) => taken.has(key))) continue;
      keys.forEach((key) => taken.add(key));
      tries.set(comparable(wanted), at + 1);
      return name;
    }
  };
}

const comparable = (name: string) => name.normalize('NFKC').toUpperCase();
