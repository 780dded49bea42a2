/** Levels of a new community. 'Open to All' is preselected in forms that grant levels to new users. */
export const DEFAULT_LEVELS = [
  { name: 'Open to All', description: 'Melodies that anyone in the community may learn.' },
  { name: 'Refuge', description: 'For those who have taken refuge.' },
  {
    name: 'Lung (Reading Transmission)',
    description: 'For those who have received the reading transmission.',
  },
  { name: 'Wang (Empowerment)', description: 'For those who have received the empowerment.' },
  { name: 'Tri (Instruction)', description: 'For those who have received the instruction.' },
] as const;

export const OPEN_LEVEL_NAME = DEFAULT_LEVELS[0].name;

export const MAX_LEVEL_NAME_LENGTH = 100;
export const MAX_LEVEL_DESCRIPTION_LENGTH = 5_000;
