/** Where the browser gets the audio that the server calls by this name. */
export const audioFileUrl = (name: string) => fileUrl(name, 'audio');

/** Where the browser gets the picture that the server calls by this name. */
export const imageFileUrl = (name: string) => fileUrl(name, 'image');

const fileUrl = (name: string, type: 'audio' | 'image') =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=${type}`;
