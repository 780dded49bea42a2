import { expect, onTestFinished, test } from 'vitest';
import {
  buildMelodyWithText,
  getPlaybackState,
  openPlayerByUrl,
  openPlayer,
  openPlayerSettings,
  playerDialog,
  pressPlayerButton,
} from '#testing/browser/player.ts';
import { expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';

const playButton = playerDialog.getByRole('button', { name: 'Play', exact: true });
const position = playerDialog.getByRole('slider', { name: /^Position/ });
const words = playerDialog.getByRole('region', { name: /^Words of/ });
const a = playerDialog.getByRole('slider', { name: 'A point' });
const b = playerDialog.getByRole('slider', { name: 'B point' });
const keys = (text: string) => userEvent.keyboard(text);
const focus = async (locator: typeof words) => {
  await expect.element(locator).toBeVisible();
  (locator.element() as HTMLElement).focus();
};

test('pressing or dragging in the waveform seeks, including to both of its ends', async () => {
  await openPlayer(buildMelodyWithText());
  const { x, y, width } = position.element().getBoundingClientRect();
  const at = (fraction: number) => ({ coords: { x: x + width * fraction, y: y + 40 } });
  await userEvent.pointer({ ...at(0.255), keys: '[MouseLeft]' });
  await expect.element(position).toHaveAttribute('aria-valuetext', '5 seconds of 20 seconds');
  await userEvent.pointer([{ ...at(0.255), keys: '[MouseLeft>]' }, at(0.4), at(0.6), at(0.76)]);
  await expect.element(position).toHaveAttribute('aria-valuenow', '15');
  // The drag continues when the pointer leaves the waveform.
  await userEvent.pointer({ coords: { x: x + width - 1, y: y + 300 } });
  await expect.element(position).toHaveAttribute('aria-valuenow', expect.stringMatching(/^(19|20)$/));
  await userEvent.pointer({ coords: { x: 0, y: y + 300 } });
  await expect.element(position).toHaveAttribute('aria-valuenow', '0');
  await userEvent.pointer([{ keys: '[/MouseLeft]' }, at(0.5)]);
  await expect.element(position).toHaveAttribute('aria-valuenow', '0');
});

test.for(['normal', 'large', 'larger'])(
  'on a desktop with %s text, the header of the player takes one line',
  async (textSize) => {
    document.documentElement.dataset['textSize'] = textSize;
    onTestFinished(() => void delete document.documentElement.dataset['textSize']);
    await page.viewport(1440, 900);
    await openPlayer(buildMelodyWithText({ title: 'Refuge and Bodhicitta' }));
    const button = playerDialog.getByRole('button', { name: /^Keys/ });
    await expect.element(button).toBeVisible();
    expect((button.element() as HTMLElement).innerText).toContain(textSize === 'larger' ? 'Keys' : 'closes');
    expect(button.element().getBoundingClientRect().height).toBeLessThanOrEqual(48);
    const title = playerDialog.getByRole('heading', { name: 'Refuge and Bodhicitta' }).element();
    const lines = title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight);
    expect(Math.round(lines), 'the title takes one line').toBe(1);
  },
);

test('the A, B and arrow keys work wherever focus is, and focus returns to Play', async () => {
  await openPlayer(buildMelodyWithText());
  await expect
    .element(playerDialog.getByRole('button', { name: /Spacebar play\/pause · ESC closes/ }))
    .toBeVisible();
  await focus(words);
  await keys('b{ArrowRight}a');
  await expect.element(a).toHaveAttribute('aria-valuetext', '5 seconds');
  await expect.element(playButton).toHaveFocus();

  // B is not after A, so an alert opens. After it is closed, the next Space plays and sets no point.
  await pressKeyOn(playerDialog.getByRole('button', { name: 'Set B Point' }), ' ');
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  // Until the alert has focus, keys still go to the player.
  await expect.element(page.getByRole('button', { name: 'OK' })).toHaveFocus();
  await keys('{Escape}');
  await expect.element(playButton).toHaveFocus();
  await keys(' ');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  await keys(' ');
  await expect.element(playButton).toBeVisible();

  await focus(words);
  await keys('{ArrowRight}b');
  await expect.element(b).toBeVisible();
  await expect.element(playButton).toHaveFocus();
  await pressPlayerButton('Clear Loop');
  await expectCount(a, 0);
  await expect.element(playButton).toHaveFocus();
});

test('letter keys can be turned off, and the device remembers the choice', async () => {
  const melody = buildMelodyWithText();
  await openPlayer(melody);
  const letters = playerDialog.getByRole('checkbox', { name: /set the loop/ });
  await pressPlayerButton(/^Keys/);
  await letters.click();
  await expect.element(letters).not.toBeChecked();
  await focus(words);
  await keys('a{ArrowRight}');
  await expectCount(a, 0);
  await openPlayerByUrl(melody);
  await pressPlayerButton(/^Keys/);
  await expect.element(letters).not.toBeChecked();
  await letters.click();
  await focus(words);
  await keys('a');
  await expect.element(a).toBeVisible();
});

test('buttons move loop points by 0.1 s, and Stop and Restart go to A', async () => {
  await openPlayer(buildMelodyWithText());
  await focus(words);
  await keys('{ArrowRight}a{ArrowRight}b');
  await openPlayerSettings('Repeats and pauses');
  const pointA = playerDialog.getByRole('group', { name: 'A point' });
  await pressPlayerButton('A 0.1 s later');
  await pressPlayerButton('A 0.1 s later');
  await expectText(pointA, 'A 0:05.2');
  await pressPlayerButton('A 0.1 s earlier');
  await expectText(pointA, 'A 0:05.1');
  await pressPlayerButton('B 0.1 s earlier');
  await pressPlayerButton('Close repeats and pauses');
  await expect.element(a).toHaveAttribute('aria-valuetext', '5.1 seconds');
  await expect.element(b).toHaveAttribute('aria-valuetext', '9.9 seconds');
  await pressKeyOn(position, 'End');
  await pressPlayerButton('Restart');
  await expect.poll(getPlaybackState).toMatchObject({ plays: true });
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(5.2);
  expect(getPlaybackState().at).toBeLessThan(9.9);
  await pressPlayerButton('Stop');
  await expect.element(playButton).toBeVisible();
  expect(getPlaybackState().at).toBeCloseTo(5.1, 2);
  expect(getPlaybackState().plays).toBe(false);
});

test('volume and speed stop at their limits, and the speed buttons keep focus', async () => {
  await openPlayer(buildMelodyWithText());
  const audio = () => playerDialog.css('audio').element() as HTMLAudioElement;
  expect(audio().volume).toBe(0.7);
  await openPlayerSettings('Speed and volume');
  const volume = playerDialog.getByRole('slider', { name: 'Volume' });
  await pressKeyOn(volume, 'ArrowRight');
  expect(audio().volume).toBeCloseTo(0.75);
  await pressKeyOn(volume, 'Home');
  expect(audio().volume).toBe(0);
  for (const [name, rate] of [
    ['Faster', 1.5],
    ['Slower', 0.5],
  ] as const) {
    const button = playerDialog.getByRole('button', { name, exact: true });
    await focus(button);
    await keys('{Enter}'.repeat(20));
    expect(audio().playbackRate).toBe(rate);
    await expect.element(button).toBeDisabled();
    await expect.element(button).toHaveFocus();
  }
  // Space plays and pauses even while a slider has focus.
  await pressKeyOn(volume, ' ');
  await expect.element(playerDialog.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  // The first Esc closes only the settings and returns focus to Play. The second closes the player.
  await pressKeyOn(volume, 'Escape');
  await expectCount(volume, 0);
  await expect.element(playerDialog.getByRole('button', { name: 'Pause', exact: true })).toHaveFocus();
  await keys('{Escape}');
  await expectCount(playerDialog, 0);
});

test('if audio is unavailable, focus moves to the message and Esc closes the player', async () => {
  await openPlayer(buildMelodyWithText({ audioUrl: 'missing.wav' }));
  await keys(' ');
  await expect.element(playerDialog.getByRole('alert')).toHaveFocus();
  await expect.element(playButton).toBeDisabled();
  await keys('{Escape}');
  await expectCount(playerDialog, 0);
});

test('a loop can play any number of times from 1 to 999', async () => {
  const melody = buildMelodyWithText();
  await openPlayer(melody);
  const list = playerDialog.getByLabelText('Repeat', { exact: true });
  await openPlayerSettings('Repeats and pauses');
  await list.selectOptions('another number…');
  const field = playerDialog.getByLabelText('Number of times');
  await expect.element(field).toHaveValue('4');
  await field.fill('12');
  await pressPlayerButton('One more');
  await pressPlayerButton('One more');
  await pressPlayerButton('One less');
  await expect.element(field).toHaveValue('13');
  await field.fill('0');
  await expect.element(playerDialog.getByText('Enter a whole number from 1 to 999.')).toBeVisible();
  await pressKeyOn(field, 'Tab');
  await expect.element(field).toHaveValue('13');
  await expectCount(playerDialog.getByText('Enter a whole number from 1 to 999.'), 0);
  // Letters typed in the field are not shortcuts, and Esc closes only the settings.
  await pressKeyOn(field, 'a');
  await expectCount(a, 0);
  await pressKeyOn(field, 'Escape');
  await expectCount(field, 0);
  await openPlayerSettings('Repeats and pauses');
  await field.fill('999');
  await expect.element(playerDialog.getByRole('button', { name: 'One more' })).toBeDisabled();
  await openPlayerByUrl(melody);
  await openPlayerSettings('Repeats and pauses');
  await expect.element(field).toHaveValue('999');
  await list.selectOptions('108 times');
  await expectCount(field, 0);
  await expect.element(playerDialog.getByRole('button', { name: 'Repeat 108×' })).toBeVisible();
});

test('lock-screen keys control the player, and the screen stays awake during playback', async () => {
  const handlers = new Map<string, MediaSessionActionHandler | null>();
  const original = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession);
  navigator.mediaSession.setActionHandler = (action, handler) => {
    handlers.set(action, handler);
    original(action, handler);
  };
  let locks = 0;
  const request = async () => {
    locks += 1;
    return { release: async () => void (locks -= 1) };
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request }, configurable: true });
  try {
    await openPlayer(buildMelodyWithText());
    const session = () => {
      const { metadata, playbackState } = navigator.mediaSession;
      return { title: metadata?.title ?? null, artist: metadata?.artist ?? null, playbackState };
    };
    expect(session()).toEqual({ title: null, artist: null, playbackState: 'none' });
    expect(locks).toBe(0);

    await playButton.click();
    await expect.poll(session).toEqual({ title: 'Song', artist: 'Khandro-la', playbackState: 'playing' });
    await expect.poll(() => locks).toBe(1);
    handlers.get('pause')!({ action: 'pause' });
    await expect.poll(() => getPlaybackState().plays).toBe(false);
    await expect.poll(() => locks).toBe(0);
    handlers.get('play')!({ action: 'play' });
    await expect.poll(() => locks).toBe(1);
    await playerDialog.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(session).toEqual({ title: null, artist: null, playbackState: 'none' });
    await expect.poll(() => locks).toBe(0);
  } finally {
    delete (navigator as { wakeLock?: unknown }).wakeLock;
    navigator.mediaSession.setActionHandler = original;
  }
});

/** A waveform that is loud in the first half and soft in the second half. */
const PEAKS = btoa(String.fromCharCode(...Array.from({ length: 200 }, (_, i) => (i < 100 ? 255 : 15))));

test('without a waveform from the server, the player shows a grey placeholder', async () => {
  const said = playerDialog.getByText('The waveform of this melody is not available.');
  const melody = buildMelodyWithText({ peaks: PEAKS });
  await openPlayer(melody);
  await expect.poll(readDrawnBars).toMatchObject({ left: 'high', right: 'low' });
  await expectCount(said, 0);
  const { colour } = readDrawnBars();

  await openPlayerByUrl({ ...melody, peaks: null });
  await expect.element(said).toBeVisible();
  await expect.poll(readDrawnBars).toMatchObject({ left: 'high', right: 'high' });
  expect(readDrawnBars().colour).not.toBe(colour);
});

/**
 * Returns whether the bars in the left and in the right half are 'high' (over a third of the canvas) or 'low',
 * and the first bar's colour.
 */
function readDrawnBars() {
  const canvas = playerDialog.css('canvas').element() as HTMLCanvasElement;
  const { width, height } = canvas;
  const context = canvas.getContext('2d')!;
  const findOpaque = (x: number, y: number) => {
    const { data } = context.getImageData(x, y, Math.floor(width * 0.4), 1);
    const pixels = Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4));
    return pixels.find(([, , , alpha]) => alpha === 255)?.join() ?? null;
  };
  const half = (x: number) => (findOpaque(x, Math.round(height / 3)) === null ? 'low' : 'high');
  return {
    left: half(0),
    right: half(Math.ceil(width * 0.55)),
    colour: findOpaque(0, Math.round(height / 2)),
  };
}
