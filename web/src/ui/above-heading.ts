import { createContext, type ReactNode } from 'react'

/** What stands above the heading of every page inside. The shell puts the way to the page there. */
export const AboveHeading = createContext<ReactNode>(null)
