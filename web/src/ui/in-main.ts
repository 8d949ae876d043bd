import { createContext, useContext } from 'react'

const InMain = createContext(false)

/** Around what stands in the page's one `<main>`: with navigation beside it. */
export const InMainProvider = InMain.Provider

/** Whether there is a `<main>` around this already. */
export const useIsInMain = (): boolean => useContext(InMain)
