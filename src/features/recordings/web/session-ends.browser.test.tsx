import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { whenNavigationIsFree } from '#web/navigation/navigation-block.ts';
import { aStudent, soundFile } from '#testing/browser/community.ts';
import { departures } from '#testing/browser/departures.ts';
import { breakConnection, refuse } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page } from '#testing/browser/screen.ts';
import {
  choose,
  comeOnline,
  found,
  isRecording,
  isSafeOnDevice,
  onItsWay,
  open,
  sent,
  sing,
  stop,
  submit,
  title,
} from '#testing/browser/submit-page.ts';
import { takeUploads } from '#testing/browser/uploads.ts';
import { stopSending } from './sending.ts';

// Stops sending, as closing the tab does.
afterEach(stopSending);

// A page loses its session only once, so there is only one test here.
test('a session that ends during singing does not interrupt it; both songs are kept', async () => {
  const user = aStudent();
  takeUploads();
  breakConnection(api.uploads.begin);
  await open('/submit', user);
  await title.fill('Queued one');
  await choose(await soundFile('song.wav', 1));
  await submit.click();
  await isSafeOnDevice();
  await page.getByRole('button', { name: 'Record another' }).click();
  await title.fill('Being sung');
  await sing();
  refuse(api.uploads.begin, 401, { message: 'Unauthorized' });
  comeOnline();
  await expect.element(page.getByText('It will be sent when you sign in again.')).toBeInTheDocument();
  const leads = vi.fn();
  whenNavigationIsFree(leads);
  expect(leads).not.toHaveBeenCalled();
  await isRecording();
  await stop();
  await expect.element(page.getByText('You are logged out. Logging in again...').first()).toBeVisible();
  await expect.poll(() => departures).toEqual(['/api/login']);
  stopSending();
  expect(sent()).toEqual([]);

  await renderPage('/auth', { user: null });
  const said = page.getByText(/^An unsent recording is safe on this device/);
  await expect.element(said).toBeVisible();
  await expectCount(page.getByText(/Queued one|Being sung|tashi/i), 0);

  takeUploads();
  await open('/submit', user);
  await expect.element(found).toBeVisible();
  await expect.element(title).toHaveValue('Being sung');
  await expect.poll(sent).toEqual(['Queued one']);
  await expectCount(onItsWay, 0);
});
