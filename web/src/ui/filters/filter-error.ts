import { createContext } from 'react'

/** Why the server does not take the filters of the list around; undefined where it does. */
export const FilterError = createContext<string | undefined>(undefined)
