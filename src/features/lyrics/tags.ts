export type Layer = 'tibetan' | 'phonetics' | 'translation';

/** A line's layer and its `lang` attribute, which is null if the language is not known. */
export type LayerTag = { layer: Layer; lang: string | null };

/**
 * Languages with which a translation can be tagged. Any other word before a colon is part of the sung words,
 * except for the tags `bo`, `ph` and `tr`.
 */
export const TRANSLATION_LANGUAGES = [
  ...['bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fr', 'hi', 'hr', 'hu', 'id', 'it', 'ja', 'ko'],
  ...['lt', 'lv', 'mn', 'nb', 'ne', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'th', 'uk', 'vi'],
  ...['zh', 'ar', 'fa', 'he'],
] as const;

/** `tr` marks a translation into an unspecified language. */
const TAGS = new Map<string, LayerTag>([
  ['bo', { layer: 'tibetan', lang: 'bo' }],
  ['ph', { layer: 'phonetics', lang: null }],
  ['tr', { layer: 'translation', lang: null }],
  ...TRANSLATION_LANGUAGES.map((lang): [string, LayerTag] => [lang, { layer: 'translation', lang }]),
]);

// Matches two letters and a colon at the beginning of a line. Also matches the wide colon that Chinese and
// Japanese keyboards type, and the byte order mark that some editors add.
const TAG = /^[\s\ufeff]*([a-z]{2})[ \t]*[:：]/i;

/** Returns the tag at the beginning of a line and its length in characters; null for a line without a tag. */
export function parseLayerTag(raw: string): { tag: LayerTag; length: number } | null {
  const found = TAG.exec(raw);
  const tag = found && TAGS.get(found[1]!.toLowerCase());
  return tag ? { tag, length: found[0].length } : null;
}
