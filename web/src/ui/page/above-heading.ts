import { createContext, type ReactNode } from 'react'

/** Content above the heading of every page inside. The shell puts the breadcrumbs there. */
export const AboveHeading = createContext<ReactNode>(null)
