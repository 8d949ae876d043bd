import { createContext, useContext } from 'react'
import type { Feature } from '../../feature.ts'

const FeaturesContext = createContext<readonly Feature[]>([])

/** Passes the features in: the shell shows their links and commands, and imports none of them. */
export const FeaturesProvider = FeaturesContext.Provider

export const useFeatures = (): readonly Feature[] => useContext(FeaturesContext)
