import { createContext, useContext } from 'react';

/** The paths of the route table. Menus and links show only pages that are in this table. */
export const ExistingPathsContext = createContext<readonly string[]>([]);

export const usePathExists = (path: string) => useContext(ExistingPathsContext).includes(path);
