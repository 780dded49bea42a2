import { readWav, median, pitchTrack } from './sound.ts';
import { expect, test } from './fixtures.ts';
import { hasFirefox, newFirefox, TONE_HERTZ } from './firefox.ts';

test.skip(
  !hasFirefox,
  'Firefox is not here (apt-get install firefox-esr pulseaudio): what it keeps on the device is not looked at.',
);

test('Firefox, killed while it records, offers all but the last second, and sends it over a line that was away', async ({
  world,
}) => {
  const student = await world.student();
  const { username, password } = student;
  const firefox = await newFirefox();
  try {
    const signIn = (credentials: object) =>
      firefox.evaluate(async (body) => {
        await fetch('/api/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      }, credentials);
    const open = async () => {
      await firefox.open(`${world.url}/`);
      await signIn({ username, password });
      await firefox.goto(`${world.url}/submit`);
    };

    await open();
    await firefox.fill('Title', 'Cut off');
    await firefox.press('Start recording');
    await firefox.sees('Recording · 0:05');
    await firefox.kill();

    await open();
    await firefox.sees('A recording was not submitted');
    await firefox.press('Use this recording');
    await firefox.press('Submit to the teacher');
    await firefox.sees('Your recording has been submitted to the teacher!');
    const client = await world.as(student);
    const { body } = await client.get('/api/student/recordings');
    expect(body).toMatchObject([{ title: 'Cut off' }]);
    const { bytes } = await client.get(`/api/files/${body[0].audioUrl}?type=audio`);
    const { samples, rate, seconds } = readWav(bytes);
    expect(seconds).toBeGreaterThanOrEqual(4);
    expect(Math.abs(median(pitchTrack(samples, rate)) - TONE_HERTZ)).toBeLessThan(5);
  } finally {
    await firefox.end();
  }
});
