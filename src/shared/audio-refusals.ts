// Reasons for refusing a sound file that the browser can detect before it sends anything. The server uses the same
// words.

export const EMPTY_FILE = 'This file is empty. Please choose another one.';

export const NOT_AUDIO =
  'This file is not one that a browser can play as sound. Please send an MP3, M4A or WAV file.';

export const MOVING_PICTURE = 'This file has a moving picture. Please send the sound alone.';

export const APPLE_LOSSLESS =
  'Browsers cannot play Apple Lossless. Please export it as M4A (AAC), MP3 or WAV.';
