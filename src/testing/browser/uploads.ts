import { api } from '../../api.ts';
import { aRecording } from './community.ts';
import { answer } from './fake-api.ts';

/** Takes files in chunks and makes recordings of them, as the server does. */
export function takeUploads() {
  let received = 0;
  answer(api.uploads.begin, () => ({ received: (received = 0) }));
  answer(api.uploads.append, ({ body }) => ({ received: (received += (body['bytes'] as Blob).size) }));
  answer(api.uploads.forget, { message: 'Forgotten' });
  answer(api.recordings.submit, ({ body }) => aRecording(body['title'] as string));
}
