import { api } from '#app/api.ts';
import { buildRecording } from './community.ts';
import { mockEndpoint } from './fake-api.ts';

/** Accepts files in chunks and creates recordings from them, as the server does. */
export function mockUploads() {
  const files = new Map<string, number>();
  const receivedOf = (path: string, more = 0) => {
    const received = (files.get(path) ?? 0) + more;
    files.set(path, received);
    return { received };
  };
  mockEndpoint(api.uploads.begin, ({ path }) => receivedOf(path));
  mockEndpoint(api.uploads.append, ({ path, body }) => receivedOf(path, (body['bytes'] as Blob).size));
  mockEndpoint(api.uploads.forget, { message: 'Forgotten' });
  mockEndpoint(api.recordings.submit, ({ body }) => buildRecording(body['title'] as string));
}
