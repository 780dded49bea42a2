type Searched = {
  title: string;
  description?: string | null | undefined;
  melodyText?: string | null | undefined;
};

/** The text that a search for melodies covers: on the server for everyone, in the browser for the loaded list. */
export const searchedText = ({ title, description, melodyText }: Searched) =>
  `${title} ${description ?? ''} ${melodyText ?? ''}`;
