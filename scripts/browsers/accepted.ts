import type { Accepted } from './complaints.ts';

// What some of the oldest browsers lack, and the pages do without there.

const GUARD = ['src/web/ui/history-guard.ts'];
const AWAKE = ['src/web/audio/wake-lock.ts'];
const NO_NAVIGATION = 'asked for; elsewhere another entry of the history catches the way back';
const NO_WAKE_LOCK = 'asked for; elsewhere the screen locks as usual';
const NO_SEGMENTER = 'asked for; elsewhere a shortened line may end within a Tibetan stack';

export const ACCEPTED: Accepted = {
  '<img fetchpriority>': {
    in: ['src/features/library/web/melody-card.tsx'],
    because: 'pictures come in the order of the page',
  },
  '<input autocapitalize>': {
    in: ['src/web/ui/field.tsx', 'src/web/ui/search-field.tsx'],
    because: 'for keyboards on a screen, which Safari has on iOS alone',
  },
  '<input autocorrect>': {
    in: ['src/web/ui/field.tsx'],
    because: 'for the keyboard of iOS; others do not correct names and passwords',
  },
  'DataTransferItem.webkitGetAsEntry': {
    in: ['src/features/melodies/imports/web/folder.ts'],
    because: 'asked for; nothing is dropped on the phones that lack it',
  },
  'File.webkitRelativePath': {
    in: ['src/features/melodies/imports/web/folder.ts'],
    because: 'where folders can’t be chosen, files are, which have names',
  },
  'HTMLMediaElement.preservesPitch': {
    in: ['src/web/audio-ui/playback/speed.tsx', 'src/features/practice/web/engine/resilient-audio.ts'],
    because: 'says what is so in Safari from the start',
  },
  'NavigateEvent.destination': { in: GUARD, because: NO_NAVIGATION },
  'NavigateEvent.navigationType': { in: GUARD, because: NO_NAVIGATION },
  navigation: { in: GUARD, because: NO_NAVIGATION },
  'Navigation.traverseTo': { in: GUARD, because: NO_NAVIGATION },
  'NavigationDestination.key': { in: GUARD, because: NO_NAVIGATION },
  'NavigationDestination.url': { in: GUARD, because: NO_NAVIGATION },
  'Navigator.wakeLock': {
    in: ['src/features/practice/web/use-practice-player.ts', 'src/web/audio/recorder-environment.ts'],
    because: NO_WAKE_LOCK,
  },
  'PublicKeyCredential.isConditionalMediationAvailable': {
    in: ['src/features/accounts/sign-in/web/passkey-autofill.ts'],
    because: 'asked for; elsewhere a passkey is used by its own button',
  },
  Segmenter: { in: ['src/features/feedback/web/marks/mark-lines.ts'], because: NO_SEGMENTER },
  'Segmenter.segment': { in: ['src/features/feedback/web/marks/mark-lines.ts'], because: NO_SEGMENTER },
  'StorageManager.estimate': {
    in: ['src/features/offline/saved-melodies/web/pack-driver.ts'],
    because: 'asked for; elsewhere the browser says that it is full when it is',
  },
  'WakeLock.request': { in: AWAKE, because: NO_WAKE_LOCK },
  'WakeLockSentinel.release': { in: AWAKE, because: NO_WAKE_LOCK },
};

const NO_POINTER = 'a phone shows no pointer';

/** By name: what shows where it is missing. A rule with a selector that a browser does not know does not count there. */
export const ACCEPTED_STYLES: Record<string, string> = {
  ':has':
    'the place of the scroll bar stays free where something fills the screen; the ring of focus has its own rule',
  ':open': 'stands in :is(), which passes over what it does not know, beside [open]',
  ':popover-open': 'as :open',
  ':selection': 'selected text has the colours of iOS',
  'forced-color-adjust': 'Safari has no forced colours',
  'forced-color-adjust: none': 'as above',
  '@page': 'paper has the margins and the footer of the browser',
  'break-after: avoid': 'the title of printed words may stand at the end of a page',
  '@property': 'Tailwind sets the same values in another way there',
  'contain-intrinsic-block-size': 'goes with content-visibility',
  'content-visibility': 'all cards are laid out at once, which takes longer in a large library',
  cursor: NO_POINTER,
  'font-family': 'ui-monospace is the first of several faces',
  hyphens: 'set to none, and nothing hyphenates by itself',
  'mask-image': 'goes with its prefixed form',
  resize: 'a phone has no corner to pull at',
  'scrollbar-gutter': 'the page moves by a scroll bar when a dialog opens; phones have none',
  'text-decoration': 'under abbreviations, of which there are none',
  'text-wrap': 'lines of a heading may be of unequal length',
  'user-select': 'goes with its prefixed form',
};
