type Searched = {
  title: string;
  description?: string | null | undefined;
  melodyText?: string | null | undefined;
};

/** What a search for melodies looks through: on the server for everyone, in the browser over the list it has. */
export const searchedText = ({ title, description, melodyText }: Searched) =>
  `${title} ${description ?? ''} ${melodyText ?? ''}`;
