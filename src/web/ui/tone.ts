/** The colours that a level, its badge and its thumbnail may have; defined in tokens.css. */
export type ColourTone = 'saffron' | 'maroon' | 'jade' | 'lapis' | 'plum' | 'teal' | 'clay' | 'slate';

/** The class that sets --tone-ground, --tone-ink and --tone-art. */
export const colourToneClasses: Record<ColourTone, string> = {
  saffron: 'tone-saffron',
  maroon: 'tone-maroon',
  jade: 'tone-jade',
  lapis: 'tone-lapis',
  plum: 'tone-plum',
  teal: 'tone-teal',
  clay: 'tone-clay',
  slate: 'tone-slate',
};
