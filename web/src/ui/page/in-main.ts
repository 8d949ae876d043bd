import { createContext, useContext } from 'react'

const InMain = createContext(false)

/** Marks content inside the page's only `<main>`, next to the navigation. */
export const InMainProvider = InMain.Provider

/** True if a `<main>` already surrounds the component. */
export const useIsInMain = (): boolean => useContext(InMain)
