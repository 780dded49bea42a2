import type { DEFAULT_LEVELS } from '#features/people/levels/limits.ts';

type Melody = {
  /**
   * Base name of the files in `assets/melodies`: `.txt` contains the sung text with LRC time stamps. `.mp3`
   * (the audio) and `.webp` (the picture) are optional.
   */
  name: string;
  title: string;
  level: (typeof DEFAULT_LEVELS)[number]['name'];
  description: string;
  film?: string;
  addedDaysAgo: number;
};

/** Prayers and mantras that have been sung for centuries, in the order in which the teacher added them. */
export const DEMO_MELODIES: Melody[] = [
  {
    name: 'refuge-and-bodhicitta',
    title: 'Refuge and Bodhicitta',
    level: 'Refuge',
    description:
      'Sung three times at the start of every practice. Let the first two lines settle, and open the voice on the third.',
    addedDaysAgo: 94,
  },
  {
    name: 'dedication-of-merit',
    title: 'Dedication of Merit',
    level: 'Open to All',
    description: 'We close with this. Slow, unhurried, the last syllable carried out on the breath.',
    addedDaysAgo: 94,
  },
  {
    name: 'mani-mantra-melody',
    title: 'Mani Mantra Melody',
    level: 'Open to All',
    description:
      'The melody most of us learned first. It turns on three notes; once they are yours, let the mantra carry itself.',
    addedDaysAgo: 88,
  },
  {
    name: 'seven-line-prayer',
    title: 'Seven Line Prayer',
    level: 'Refuge',
    description:
      'The call to Guru Rinpoche. Each line rests on its last syllable; do not rush into the next. HUNG is one long bell at the beginning and the end.',
    addedDaysAgo: 71,
  },
  {
    name: 'offering-of-the-seven-limbs',
    title: 'Offering of the Seven Limbs',
    level: 'Refuge',
    description:
      'Seven gestures of the heart in one verse: bowing, offering, laying bare, rejoicing, asking, praying, giving it all away.',
    addedDaysAgo: 66,
  },
  {
    name: 'heart-sutra-mantra',
    title: 'Heart Sutra Mantra',
    level: 'Open to All',
    description: 'Bright and forward, like walking. A good one for the road.',
    addedDaysAgo: 58,
  },
  {
    name: 'vajra-guru-mantra',
    title: 'Vajra Guru Mantra',
    level: 'Lung (Reading Transmission)',
    description:
      'Twelve syllables, sung low and even. Listen to the drone before you begin, and let AH stay open.',
    addedDaysAgo: 45,
  },
  {
    name: 'green-tara',
    title: 'Green Tara: Song of Praise',
    level: 'Lung (Reading Transmission)',
    description:
      'The first of the twenty-one praises, quick as the lady herself. The leap in the second line wants courage more than strength.',
    addedDaysAgo: 37,
  },
  {
    name: 'long-life-prayer',
    title: 'Long Life Prayer',
    level: 'Lung (Reading Transmission)',
    description: 'The mantra of Amitayus, for the long life of our teachers. Sing it as a gift.',
    addedDaysAgo: 30,
  },
  {
    name: 'calling-the-lama-from-afar',
    title: 'Calling the Lama from Afar',
    level: 'Wang (Empowerment)',
    description:
      'A song of longing. It begins almost as speech and rises by itself; if the voice breaks, let it. The film shows the gestures.',
    film: 'https://example.org/films/calling-the-lama-from-afar',
    addedDaysAgo: 21,
  },
  {
    name: 'prayer-to-yeshe-tsogyal',
    title: 'Prayer to Yeshe Tsogyal',
    level: 'Wang (Empowerment)',
    description: 'One line, again and again. The words for now; the melody will follow after the retreat.',
    addedDaysAgo: 12,
  },
  {
    name: 'milarepa',
    title: 'Milarepa: Song of the Mountain',
    level: 'Tri (Instruction)',
    description:
      'For those who sing in retreat. Free in time: stay on the high note as long as the mountain does.',
    addedDaysAgo: 5,
  },
];
