import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'

export type Engagement = Output<'getEngagement'>['data']
export type EngagementDetails = Output<'getEngagementDetails'>['data']

export interface OpenEngagement {
  engagement: Engagement
  details: EngagementDetails
  /** May change name, description, status and content; an archived engagement can only be reopened. */
  mayChange: boolean
  /** May change the details, which also the lead may. */
  mayChangeDetails: boolean
  isArchived: boolean
}

const EngagementContext = createContext<OpenEngagement | undefined>(undefined)

export const EngagementProvider = EngagementContext.Provider

/** The engagement in the address, for pages inside one. */
export const useEngagement = (): OpenEngagement => {
  const open = useContext(EngagementContext)
  if (!open) throw new Error('useEngagement is for pages inside of an engagement')
  return open
}
