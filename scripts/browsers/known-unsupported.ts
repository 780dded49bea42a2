// Features that the pages use although some of the oldest browsers lack them, each with what happens in those
// browsers.

const NO_NAVIGATION = 'checked first; elsewhere another history entry catches the way back';
const NO_WAKE_LOCK = 'checked first; elsewhere the screen locks as usual';
const NO_SEGMENTER = 'checked first; elsewhere a shortened line may end within a Tibetan stack';
const NO_POINTER = 'a phone shows no pointer';

export const KNOWN_UNSUPPORTED_FEATURES: Record<string, string> = {
  '<img fetchpriority>': 'pictures load in the order of the page',
  '<input autocapitalize>': 'for on-screen keyboards, which Safari has on iOS only',
  '<input autocorrect>': 'for the keyboard of iOS; others do not correct names and passwords',
  'DataTransferItem.webkitGetAsEntry': 'checked first; nothing is dropped on the phones that lack it',
  'File.webkitRelativePath': 'where folders can’t be chosen, files are, which have names',
  'HTMLMediaElement.preservesPitch': 'sets what is the default in Safari',
  'IDBFactory.databases': 'its rejection is caught; elsewhere the sender of stored recordings loads at once',
  'NavigateEvent.destination': NO_NAVIGATION,
  'NavigateEvent.navigationType': NO_NAVIGATION,
  navigation: NO_NAVIGATION,
  'Navigation.traverseTo': NO_NAVIGATION,
  'NavigationDestination.key': NO_NAVIGATION,
  'NavigationDestination.url': NO_NAVIGATION,
  'Navigator.wakeLock': NO_WAKE_LOCK,
  'PublicKeyCredential.isConditionalMediationAvailable':
    'checked first; elsewhere a passkey is used by its own button',
  Segmenter: NO_SEGMENTER,
  'Segmenter.segment': NO_SEGMENTER,
  'StorageManager.estimate': 'checked first; elsewhere the browser reports a full disk when it is full',
  'WakeLock.request': NO_WAKE_LOCK,
  'WakeLockSentinel.release': NO_WAKE_LOCK,
};

/**
 * Accepted CSS features. An accepted property includes all its values. A browser that does not know a selector
 * skips the whole rule.
 */
export const KNOWN_UNSUPPORTED_STYLES: Record<string, string> = {
  ':has': 'the scroll bar’s place stays free below a full-screen layer; the focus ring has its own rule',
  ':open': 'stands in :is(), which skips what it does not know, beside [open]',
  ':popover-open': 'as :open',
  ':selection': 'selected text has the colours of iOS',
  'forced-color-adjust': 'Safari has no forced colours',
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
