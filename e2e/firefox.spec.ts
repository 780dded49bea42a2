import { createUploadGate } from '../chaos/harness/gate.ts';
import { canLaunchFirefox, createFirefoxDevice, FIREFOX_MICROPHONE_HERTZ } from './firefox.ts';
import { expect, test } from './fixtures.ts';
import { getMedian, measurePitchTrack, readWav } from './sound.ts';

test.skip(
  !canLaunchFirefox,
  'Firefox is not installed (apt-get install firefox-esr pulseaudio), so storing recordings in it is not tested.',
);

test('a recording survives when Firefox is killed, and is sent after reconnecting', async ({ world }) => {
  const student = await world.student();
  const gate = await createUploadGate(world.url);
  const firefox = await createFirefoxDevice();
  const open = async () => {
    await firefox.open(gate.url);
    await firefox.evaluate(async ({ username, password }) => {
      const headers = { 'content-type': 'application/json' };
      await fetch('/api/login', { method: 'POST', headers, body: JSON.stringify({ username, password }) });
    }, student);
    await firefox.goto(`${gate.url}/submit`);
  };
  try {
    await open();
    await firefox.fill('Title', 'Cut off');
    await firefox.press('Start recording');
    await firefox.sees('Recording · 1:55 left');
    await firefox.kill();

    await open();
    await firefox.sees('You have an unsent recording');
    await firefox.press('Use this recording');
    await firefox.fill('Title', 'Cut off');
    gate.close();
    await firefox.press('Submit to the teacher');
    await firefox.sees('Your recording is safe on this device');
    gate.open();
    await firefox.sees('Your recording has been submitted to the teacher!');

    const client = await world.as(student);
    const { body } = await client.get('/api/student/recordings');
    expect(body).toMatchObject([{ title: 'Cut off' }]);
    const { bytes } = await client.get(`/api/files/${body[0].audioUrl}?type=audio`);
    const { samples, rate, seconds } = readWav(bytes);
    expect(seconds).toBeGreaterThanOrEqual(4);
    expect(getMedian(measurePitchTrack(samples, rate))).toBeCloseTo(FIREFOX_MICROPHONE_HERTZ, -1);
  } finally {
    await firefox.end();
    await gate.stop();
  }
});
