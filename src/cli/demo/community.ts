import type { Mark } from '#features/feedback/contract.ts';

/**
 * Password of the teacher and {@link DEMO_STUDENTS}, so that visitors of the demo can sign in as any of them.
 */
export const DEMO_PASSWORD = 'lotus-in-the-lake';

export const DEMO_TEACHER = { username: 'khandro', firstName: 'Khandro Pema', lastName: 'Lhamo' };

type Student = {
  /** Also the local part of the email, from which the username is derived. */
  username: string;
  firstName: string;
  lastName: string;
  /** Number of default levels granted, from 'Open to All' upwards. */
  levels: number;
  joinedDaysAgo: number;
};

export const DEMO_STUDENTS = [
  { username: 'ani.lhamo', firstName: 'Ani', lastName: 'Lhamo', levels: 5, joinedDaysAgo: 92 },
  { username: 'tashi', firstName: 'Tashi', lastName: 'Dolma', levels: 4, joinedDaysAgo: 90 },
  { username: 'jampa', firstName: 'Jampa', lastName: 'Norbu', levels: 3, joinedDaysAgo: 74 },
  { username: 'marianne', firstName: 'Marianne', lastName: 'Weber', levels: 2, joinedDaysAgo: 40 },
  { username: 'karma', firstName: 'Karma', lastName: 'Yeshe', levels: 1, joinedDaysAgo: 9 },
] as const satisfies Student[];

/**
 * A request for access that has been approved. As usual, only the email to this person contains the password.
 */
export const DEMO_APPROVED_REQUEST = {
  fullName: 'Pema Tsering',
  email: 'pema.tsering@example.org',
  askedHoursAgo: 52,
  approvedHoursAgo: 50,
};

export const DEMO_PENDING_REQUEST = {
  fullName: 'Sonam Wangmo',
  email: 'sonam.wangmo@example.org',
  hoursAgo: 5,
};

type Take = {
  student: (typeof DEMO_STUDENTS)[number]['username'];
  /**
   * Name of the melody in `melodies.ts`. The audio files are `assets/recordings/<student>-<melody>.mp3` and
   * `…-reply.mp3`.
   */
  melody: string;
  /** Defaults to the melody's title. */
  title?: string;
  message?: string;
  hoursAgo: number;
  reply?: Reply;
};

type Reply = {
  written?: string;
  /** Comments at positions in the recording. */
  marks?: Mark[];
  status: 'unread' | 'read' | 'integrated';
  hoursAgo: number;
};

const HOURS_PER_DAY = 24;

/**
 * Recordings of the students, oldest first. They are created in this order, because a student's list is ordered
 * by id.
 */
export const DEMO_RECORDINGS: Take[] = [
  {
    student: 'marianne',
    melody: 'refuge-and-bodhicitta',
    message: 'My first recording. I sing it every morning before work, with the window open.',
    hoursAgo: 6 * HOURS_PER_DAY,
    reply: {
      written:
        'Thank you, Marianne. The pulse is steady and I can hear that you mean it. In the second line you breathe before "kyab su chi"; take the breath one word earlier and the refuge stays whole. Sing it like this for a week.',
      status: 'integrated',
      hoursAgo: 5 * HOURS_PER_DAY + 6,
    },
  },
  {
    student: 'tashi',
    melody: 'seven-line-prayer',
    message: 'Is the third line too high, or is it me?',
    hoursAgo: 5 * HOURS_PER_DAY + 3,
    reply: {
      marks: [
        { start: 2.5, end: null, melodyAt: 0.35, text: 'A good, quiet beginning.' },
        {
          start: 10,
          end: 14,
          melodyAt: 10.1,
          text: 'Not too high: sing "yatsen" from the belly, and it will come.',
        },
      ],
      status: 'read',
      hoursAgo: 4 * HOURS_PER_DAY + 9,
    },
  },
  {
    student: 'jampa',
    melody: 'green-tara',
    message: 'I practised with the loop on line two. Still a little afraid of the leap.',
    hoursAgo: 4 * HOURS_PER_DAY + 7,
    reply: {
      written:
        'The leap is there, Jampa. What I hear now is that you slow down before it, as one does at a stream. Keep walking. I have sung the line for you twice.',
      marks: [{ start: 7, end: 11.5, melodyAt: 7.15, text: 'Here. Walk on through the leap.' }],
      status: 'read',
      hoursAgo: 3 * HOURS_PER_DAY + 20,
    },
  },
  {
    student: 'karma',
    melody: 'mani-mantra-melody',
    hoursAgo: 3 * HOURS_PER_DAY + 11,
    reply: {
      written: 'Good, Karma. Softer on "hung": it closes the circle, it does not end a sentence.',
      status: 'unread',
      hoursAgo: 2 * HOURS_PER_DAY + 22,
    },
  },
  {
    student: 'ani.lhamo',
    melody: 'milarepa',
    title: 'Song of the Mountain, by heart',
    message: 'From the hut. The wind is part of it, forgive me.',
    hoursAgo: 3 * HOURS_PER_DAY,
    reply: {
      written:
        'The wind keeps better time than both of us. This is very close now. Listen to how I let the high note fade instead of ending it; then you may teach it to the others.',
      status: 'unread',
      hoursAgo: 2 * HOURS_PER_DAY + 2,
    },
  },
  {
    student: 'tashi',
    melody: 'green-tara',
    message: 'All four lines in one go, then the mantra. I am not sure of "chukye zhal gyi".',
    hoursAgo: 2 * HOURS_PER_DAY + 5,
  },
  { student: 'karma', melody: 'dedication-of-merit', hoursAgo: HOURS_PER_DAY + 20 },
  {
    student: 'marianne',
    melody: 'seven-line-prayer',
    title: 'Seven Line Prayer, second try',
    message: [
      'Dear Khandro-la, this is my second recording of the Seven Line Prayer. The first I did not send, because I stopped after "Pema jungne" and could not find the note again.',
      'I have noticed that I always go flat when I look at the text, so this time I closed my eyes. There is one word I am not sure of: do you sing "nubjang" with the second syllable long or short? My neighbour, who studied in Dharamsala for some years, sings it long, but in your recording it sounds short to me, and I would rather learn it once and properly.',
      'Also, is it all right to sing it a little higher? Your key is low for me in the morning. Thank you for listening to us all so patiently.',
    ].join('\n\n'),
    hoursAgo: HOURS_PER_DAY + 2,
  },
  {
    student: 'jampa',
    melody: 'vajra-guru-mantra',
    message: 'With the drone in one ear. Is AH open enough?',
    hoursAgo: 22,
  },
  {
    student: 'ani.lhamo',
    melody: 'calling-the-lama-from-afar',
    message:
      'We sang this on the last evening of the retreat and nobody wanted to stop. I recorded it the morning after, alone, so that you can hear whether I have kept the turn at the end of the second line or made up one of my own.',
    hoursAgo: 9,
  },
  {
    student: 'marianne',
    melody: 'offering-of-the-seven-limbs',
    message: 'Only the first two lines. I will learn the others when these are right.',
    hoursAgo: 3,
  },
  {
    student: 'karma',
    melody: 'heart-sutra-mantra',
    message: 'Recorded while walking, as you said!',
    hoursAgo: 40 / 60,
  },
];
