type SearchedFields = {
  title: string;
  description?: string | null | undefined;
  melodyText?: string | null | undefined;
};

/** Returns the text that a search covers, both on the server and in the browser's loaded list. */
export const getSearchableText = ({ title, description, melodyText }: SearchedFields) =>
  `${title} ${description ?? ''} ${melodyText ?? ''}`;
