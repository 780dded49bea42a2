import { api } from '#app/api.ts';
import { aRecording } from './community.ts';
import { answer } from './fake-api.ts';

/** Accepts files in chunks and creates recordings from them, as the server does. */
export function takeUploads() {
  const files = new Map<string, number>();
  const receivedOf = (path: string, more = 0) => {
    const received = (files.get(path) ?? 0) + more;
    files.set(path, received);
    return { received };
  };
  answer(api.uploads.begin, ({ path }) => receivedOf(path));
  answer(api.uploads.append, ({ path, body }) => receivedOf(path, (body['bytes'] as Blob).size));
  answer(api.uploads.forget, { message: 'Forgotten' });
  answer(api.recordings.submit, ({ body }) => aRecording(body['title'] as string));
}
