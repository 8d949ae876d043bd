import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'

export type Engagement = Output<'getEngagement'>['data']
export type EngagementDetails = Output<'getEngagementDetails'>['data']

export interface OpenEngagement {
  engagement: Engagement
  details: EngagementDetails
  /** May change name, description and status, and what is in it; in an archived one nobody may but reopen it. */
  mayChange: boolean
  /** May change the details: the lead may, too. */
  mayChangeDetails: boolean
  isArchived: boolean
}

const EngagementContext = createContext<OpenEngagement | undefined>(undefined)

export const EngagementProvider = EngagementContext.Provider

/** The engagement that the address names, for pages inside of one. */
export const useEngagement = (): OpenEngagement => {
  const open = useContext(EngagementContext)
  if (!open) throw new Error('useEngagement is for pages inside of an engagement')
  return open
}
