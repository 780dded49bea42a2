/** Three sung lines in three layers, with their start times in seconds. */
export const SUNG_TEXT = [
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས་ཀྱི་མཆོག་རྣམས་ལ།',
  'Sangye chö dang tsok kyi chok nam la',
  'en: In the Buddha, the Dharma and the supreme assembly',
  'bo: བྱང་ཆུབ་བར་དུ་བདག་ནི་སྐྱབས་སུ་མཆི།',
  'Jangchub bardu dak ni kyab su chi',
  'en: I take refuge until awakening',
  '',
  'bo: བདག་གིས་སྦྱིན་སོགས་བགྱིས་པའི་བསོད་ནམས་ཀྱིས།',
  'Dak gi jin sok gyi pe sönam kyi',
  'en: By the merit of my giving and the rest',
].join('\n');
export const SUNG_TEXT_LINE_INDEXES = [0, 3, 7];
const STARTS = [0.5, 2, 3.5];
export const SUNG_TEXT_TIMINGS = SUNG_TEXT_LINE_INDEXES.map((line, i) => ({ line, start: STARTS[i]! }));
