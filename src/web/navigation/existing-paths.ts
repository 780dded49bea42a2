import { createContext, useContext } from 'react';

/** The paths of the route table; menus and links to pages that are not in it do not show. */
export const ExistingPaths = createContext<readonly string[]>([]);

export const usePathExists = (path: string) => useContext(ExistingPaths).includes(path);
