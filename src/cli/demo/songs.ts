import type { Picture } from './pictures.ts';

/** One sung line, with its Tibetan letters and its meaning. */
type Line = { tibetan: string; sung: string; meaning: string };

export type Song = {
  title: string;
  level: string;
  description: string;
  /** Duration of its sound; null for a melody with words only. */
  seconds: number | null;
  drone?: boolean;
  picture?: Picture;
  film?: string;
  verses: Line[][];
  addedDaysAgo: number;
};

/** The melody's text: plain lines are sung, 'bo:' is Tibetan, 'en:' the meaning. */
export const textOf = ({ verses }: Song): string =>
  verses
    .map((lines) =>
      lines
        .map(({ tibetan, sung, meaning }) => [`bo: ${tibetan}`, sung, `en: ${meaning}`].join('\n'))
        .join('\n'),
    )
    .join('\n\n');

const OPEN = 'Open to All';
const REFUGE = 'Refuge';
const LUNG = 'Lung (Reading Transmission)';
const WANG = 'Wang (Empowerment)';
const TRI = 'Tri (Instruction)';

/** Prayers and mantras that have been sung for centuries, in the order in which the teacher added them. */
export const SONGS: Song[] = [
  {
    title: 'Refuge and Bodhicitta',
    level: REFUGE,
    description:
      'Sung three times at the start of every practice. Let the first two lines settle, and open the voice on the third.',
    seconds: 31,
    picture: 'knot',
    addedDaysAgo: 94,
    verses: [
      [
        {
          tibetan: 'སངས་རྒྱས་ཆོས་དང་ཚོགས་ཀྱི་མཆོག་རྣམས་ལ།',
          sung: 'Sangye chö dang tsok kyi chok nam la',
          meaning: 'In the Buddha, the Dharma and the supreme assembly',
        },
        {
          tibetan: 'བྱང་ཆུབ་བར་དུ་བདག་ནི་སྐྱབས་སུ་མཆི།',
          sung: 'Jangchub bardu dak ni kyab su chi',
          meaning: 'I take refuge until awakening.',
        },
        {
          tibetan: 'བདག་གིས་སྦྱིན་སོགས་བགྱིས་པའི་བསོད་ནམས་ཀྱིས།',
          sung: 'Dak gi jin sok gyi pe sönam kyi',
          meaning: 'By the merit of my giving and the rest,',
        },
        {
          tibetan: 'འགྲོ་ལ་ཕན་ཕྱིར་སངས་རྒྱས་འགྲུབ་པར་ཤོག །',
          sung: 'Dro la pen chir sangye drub par shok',
          meaning: 'may I reach buddhahood for the good of all who wander.',
        },
      ],
    ],
  },
  {
    title: 'Dedication of Merit',
    level: OPEN,
    description: 'We close with this. Slow, unhurried, the last syllable carried out on the breath.',
    seconds: 26,
    picture: 'sunrise',
    addedDaysAgo: 94,
    verses: [
      [
        {
          tibetan: 'དགེ་བ་འདི་ཡིས་མྱུར་དུ་བདག །',
          sung: 'Gewa di yi nyurdu dak',
          meaning: 'By this virtue may I swiftly',
        },
        {
          tibetan: 'བླ་མ་སངས་རྒྱས་འགྲུབ་གྱུར་ནས།',
          sung: 'Lama sangye drub gyur ne',
          meaning: 'reach the state of the lama, the Buddha,',
        },
        {
          tibetan: 'འགྲོ་བ་གཅིག་ཀྱང་མ་ལུས་པ།',
          sung: 'Drowa chik kyang malü pa',
          meaning: 'and every being, not one left behind,',
        },
        {
          tibetan: 'དེ་ཡི་ས་ལ་འགོད་པར་ཤོག །',
          sung: 'De yi sa la gö par shok',
          meaning: 'may I bring to that same ground.',
        },
      ],
    ],
  },
  {
    title: 'Mani Mantra Melody',
    level: OPEN,
    description:
      'The melody most of us learned first. It turns on three notes; once they are yours, let the mantra carry itself.',
    seconds: 24,
    drone: true,
    picture: 'flags',
    addedDaysAgo: 88,
    verses: [
      [
        {
          tibetan: 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
          sung: 'Om mani padme hung',
          meaning: 'The six syllables of Chenrezig, lord of compassion.',
        },
      ],
    ],
  },
  {
    title: 'Seven Line Prayer',
    level: REFUGE,
    description:
      'The call to Guru Rinpoche. Each line rests on its last syllable; do not rush into the next. HUNG is one long bell at the beginning and the end.',
    seconds: 39,
    drone: true,
    picture: 'lotus',
    addedDaysAgo: 71,
    verses: [
      [
        {
          tibetan: 'ཧཱུྃ༔ ཨོ་རྒྱན་ཡུལ་གྱི་ནུབ་བྱང་མཚམས༔',
          sung: 'Hung orgyen yul gyi nubjang tsam',
          meaning: 'HUNG. On the north-western border of the land of Orgyen,',
        },
        {
          tibetan: 'པདྨ་གེ་སར་སྡོང་པོ་ལ༔',
          sung: 'Pema gesar dongpo la',
          meaning: 'in the heart of a lotus, upon its stem,',
        },
        {
          tibetan: 'ཡ་མཚན་མཆོག་གི་དངོས་གྲུབ་བརྙེས༔',
          sung: 'Yatsen chok gi ngödrub nye',
          meaning: 'you found the wondrous, the highest attainment.',
        },
        {
          tibetan: 'པདྨ་འབྱུང་གནས་ཞེས་སུ་གྲགས༔',
          sung: 'Pema jungne zhe su drak',
          meaning: 'You are renowned as the Lotus-born,',
        },
        {
          tibetan: 'འཁོར་དུ་མཁའ་འགྲོ་མང་པོས་བསྐོར༔',
          sung: 'Khor du khandro mangpö kor',
          meaning: 'with many dakinis around you.',
        },
        {
          tibetan: 'ཁྱེད་ཀྱི་རྗེས་སུ་བདག་སྒྲུབ་ཀྱི༔',
          sung: 'Khye kyi je su dak drub kyi',
          meaning: 'Following you, I practise:',
        },
        {
          tibetan: 'བྱིན་གྱིས་བརླབ་ཕྱིར་གཤེགས་སུ་གསོལ༔',
          sung: 'Jin gyi lab chir shek su söl',
          meaning: 'come, I pray, and grant your blessing.',
        },
        {
          tibetan: 'གུ་རུ་པདྨ་སིདྡྷི་ཧཱུྃ༔',
          sung: 'Guru pema siddhi hung',
          meaning: 'Lotus-born teacher, grant accomplishment.',
        },
      ],
    ],
  },
  {
    title: 'Offering of the Seven Limbs',
    level: REFUGE,
    description:
      'Seven gestures of the heart in one verse: bowing, offering, laying bare, rejoicing, asking, praying, giving it all away.',
    seconds: 28,
    picture: 'lamps',
    addedDaysAgo: 66,
    verses: [
      [
        {
          tibetan: 'ཕྱག་འཚལ་བ་དང་མཆོད་ཅིང་བཤགས་པ་དང་།',
          sung: 'Chak tsalwa dang chö ching shakpa dang',
          meaning: 'Bowing, offering, and laying bare my faults,',
        },
        {
          tibetan: 'རྗེས་སུ་ཡི་རང་བསྐུལ་ཞིང་གསོལ་བ་ཡི།',
          sung: 'Je su yi rang kul zhing sölwa yi',
          meaning: 'rejoicing, urging to teach, and praying you remain:',
        },
        {
          tibetan: 'དགེ་བ་ཅུང་ཟད་བདག་གིས་ཅི་བསགས་པ།',
          sung: 'Gewa chungze dak gi chi sakpa',
          meaning: 'whatever small virtue I have gathered by this,',
        },
        {
          tibetan: 'ཐམས་ཅད་བདག་གིས་བྱང་ཆུབ་ཕྱིར་བསྔོའོ། །',
          sung: 'Tamche dak gi jangchub chir ngo o',
          meaning: 'all of it I dedicate to awakening.',
        },
      ],
    ],
  },
  {
    title: 'Heart Sutra Mantra',
    level: OPEN,
    description: 'Bright and forward, like walking. A good one for the road.',
    seconds: 18,
    addedDaysAgo: 58,
    verses: [
      [
        {
          tibetan: 'ཏདྱཐཱ། ཨོཾ་ག་ཏེ་ག་ཏེ་པཱ་ར་ག་ཏེ་པཱ་ར་སཾ་ག་ཏེ་བོ་དྷི་སྭཱ་ཧཱ།',
          sung: 'Teyata om gate gate paragate parasamgate bodhi soha',
          meaning: 'Gone, gone, gone beyond, gone wholly beyond: awakening, so be it.',
        },
      ],
    ],
  },
  {
    title: 'Vajra Guru Mantra',
    level: LUNG,
    description:
      'Twelve syllables, sung low and even. Listen to the drone before you begin, and let AH stay open.',
    seconds: 22,
    drone: true,
    picture: 'stupa',
    addedDaysAgo: 45,
    verses: [
      [
        {
          tibetan: 'ཨོཾ་ཨཱཿཧཱུྃ་བཛྲ་གུ་རུ་པདྨ་སིདྡྷི་ཧཱུྃ༔',
          sung: 'Om ah hung benza guru pema siddhi hung',
          meaning: 'The heart mantra of Guru Rinpoche.',
        },
      ],
    ],
  },
  {
    title: 'Green Tara: Song of Praise',
    level: LUNG,
    description:
      'The first of the twenty-one praises, quick as the lady herself. The leap in the second line wants courage more than strength.',
    seconds: 34,
    picture: 'leaves',
    addedDaysAgo: 37,
    verses: [
      [
        {
          tibetan: 'ཕྱག་འཚལ་སྒྲོལ་མ་མྱུར་མ་དཔའ་མོ།',
          sung: 'Chaktsal drolma nyurma pamo',
          meaning: 'Homage to Tara, the swift, the brave,',
        },
        {
          tibetan: 'སྤྱན་ནི་སྐད་ཅིག་གློག་དང་འདྲ་མ།',
          sung: 'Chen ni kechik lok dang drama',
          meaning: 'whose glance is like a flash of lightning,',
        },
        {
          tibetan: 'འཇིག་རྟེན་གསུམ་མགོན་ཆུ་སྐྱེས་ཞལ་གྱི།',
          sung: 'Jikten sum gön chukye zhal gyi',
          meaning: 'born from the opening lotus',
        },
        {
          tibetan: 'གེ་སར་བྱེ་བ་ལས་ནི་བྱུང་མ།',
          sung: 'Gesar jewa le ni jungma',
          meaning: 'of the face of the protector of three worlds.',
        },
      ],
      [
        {
          tibetan: 'ཨོཾ་ཏཱ་རེ་ཏུཏྟཱ་རེ་ཏུ་རེ་སྭཱ་ཧཱ།',
          sung: 'Om tare tuttare ture soha',
          meaning: 'Her mantra of ten syllables.',
        },
      ],
    ],
  },
  {
    title: 'Long Life Prayer',
    level: LUNG,
    description: 'The mantra of Amitayus, for the long life of our teachers. Sing it as a gift.',
    seconds: 20,
    addedDaysAgo: 30,
    verses: [
      [
        {
          tibetan: 'ཨོཾ་ཨ་མ་ར་ཎི་ཛཱི་ཝནྟི་ཡེ་སྭཱ་ཧཱ།',
          sung: 'Om amarani jivantiye soha',
          meaning: 'The mantra of Amitayus, boundless life.',
        },
      ],
    ],
  },
  {
    title: 'Calling the Lama from Afar',
    level: WANG,
    description:
      'A song of longing. It begins almost as speech and rises by itself; if the voice breaks, let it. The film shows the gestures.',
    seconds: 37,
    picture: 'river',
    film: 'https://example.org/films/calling-the-lama-from-afar',
    addedDaysAgo: 21,
    verses: [
      [
        {
          tibetan: 'བླ་མ་མཁྱེན་ནོ།',
          sung: 'Lama khyen no',
          meaning: 'Lama, know me.',
        },
      ],
      [
        {
          tibetan: 'དཔལ་ལྡན་རྩ་བའི་བླ་མ་རིན་པོ་ཆེ།',
          sung: 'Palden tsawe lama rinpoche',
          meaning: 'Glorious root lama, precious one,',
        },
        {
          tibetan: 'བདག་གི་སྤྱི་བོར་པདྨའི་གདན་བཞུགས་ལ།',
          sung: 'Dak gi chiwor peme den zhuk la',
          meaning: 'be seated on a lotus at the crown of my head,',
        },
        {
          tibetan: 'བཀའ་དྲིན་ཆེན་པོའི་སྒོ་ནས་རྗེས་བཟུང་སྟེ།',
          sung: 'Kadrin chenpö go ne jezung te',
          meaning: 'hold me in your great kindness,',
        },
        {
          tibetan: 'སྐུ་གསུང་ཐུགས་ཀྱི་དངོས་གྲུབ་སྩལ་དུ་གསོལ།',
          sung: 'Ku sung tuk kyi ngödrub tsal du söl',
          meaning: 'and grant the attainments of body, speech and mind.',
        },
      ],
    ],
  },
  {
    title: 'Prayer to Yeshe Tsogyal',
    level: WANG,
    description: 'One line, again and again. The words for now; the melody will follow after the retreat.',
    seconds: null,
    addedDaysAgo: 12,
    verses: [
      [
        {
          tibetan: 'མཁའ་འགྲོ་ཡེ་ཤེས་མཚོ་རྒྱལ་ལ་གསོལ་བ་འདེབས།',
          sung: 'Khandro yeshe tsogyal la sölwa deb',
          meaning: 'Dakini Yeshe Tsogyal, to you I pray.',
        },
      ],
    ],
  },
  {
    title: 'Milarepa: Song of the Mountain',
    level: TRI,
    description:
      'For those who sing in retreat. Free in time: stay on the high note as long as the mountain does.',
    seconds: 33,
    drone: true,
    picture: 'mountains',
    addedDaysAgo: 5,
    verses: [
      [
        {
          tibetan: 'རྗེ་བཙུན་བཞད་པ་རྡོ་རྗེ་ལ་གསོལ་བ་འདེབས།',
          sung: 'Jetsün zhepa dorje la sölwa deb',
          meaning: 'Jetsün Zhepa Dorje, laughing vajra, to you I pray.',
        },
      ],
    ],
  },
];
