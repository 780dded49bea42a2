import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

test('a recording stops at two minutes, after a warning, and is submitted in full', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Long', lastName: 'Breath' });
  // Bypasses the page's Content Security Policy, which forbids the script that speeds up the microphone.
  const page = await signedIn(student, { bypassCSP: true });
  await hastenMicrophone(page);
  await page.goto('/submit');
  const said = await collectStatuses(page);
  await page.getByLabel('Title').fill('Two minutes');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/reached the 2-minute limit/)).toBeVisible();
  expect(await said()).toContainEqual(expect.stringContaining('10 seconds left'));
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(
    page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }),
  ).toBeVisible();
  const client = await world.as(student);
  const [recording] = (await client.get('/api/student/recordings')).body as {
    audioUrl: string;
    duration: number;
  }[];
  expect(recording!.duration).toBe(120);
  const file = await client.get(`/api/files/${recording!.audioUrl}?type=audio`);
  expect(file.bytes).toHaveLength(44 + 120 * 32_000 * 2);
});

const HASTE = 20;

/** Feeds each block of audio to the recorder {@link HASTE} times, so that two minutes pass in six seconds. */
const hastenMicrophone = (page: Page) =>
  page.addInitScript((times) => {
    const prelude = `
      const register = registerProcessor;
      globalThis.registerProcessor = (name, Processor) =>
        register(name, class extends Processor {
          process(...given) {
            for (let time = 1; time < ${times}; time += 1) if (!super.process(...given)) return false;
            return super.process(...given);
          }
        });`;
    const url = URL.createObjectURL(new Blob([prelude], { type: 'text/javascript' }));
    const { addModule } = AudioWorklet.prototype;
    AudioWorklet.prototype.addModule = async function (...given) {
      await addModule.call(this, url);
      await addModule.apply(this, given);
    };
  }, HASTE);

/** Starts collecting the texts of status regions. Returns a function that resolves to the texts so far. */
async function collectStatuses(page: Page) {
  const said = await page.evaluateHandle(() => {
    const texts: string[] = [];
    new MutationObserver(() => {
      for (const status of document.querySelectorAll('[role=status]')) texts.push(status.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => said.jsonValue();
}
