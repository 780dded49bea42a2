/** The URL of an audio file, by its name on the server. */
export const audioFileUrl = (name: string) => fileUrl(name, 'audio');

/** The URL of a picture, by its name on the server. */
export const imageFileUrl = (name: string) => fileUrl(name, 'image');

const fileUrl = (name: string, type: 'audio' | 'image') =>
  name.startsWith('/') ? name : `/api/files/${encodeURIComponent(name)}?type=${type}`;
