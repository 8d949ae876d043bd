import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../../api/api.ts'
import { together } from '../../../shell/reads/QueryView.tsx'
import { type Environment, usePlace } from '../place.tsx'

/** Environments available here: those of the engagement, then those of the organization. */
export const useEnvironments = () => {
  const { organizationId, engagementId } = usePlace()
  const sorted = { sort: 'name', order: 'asc', perPage: 100 } as const
  const ofOrganization = useQuery(
    query(organizationId, 'listEnvironments', { query: { organization: true, ...sorted } }),
  )
  const ofEngagement = useQuery({
    ...query(organizationId, 'listEnvironments', {
      query: { ...(engagementId !== null && { engagementId }), ...sorted },
    }),
    enabled: engagementId !== null,
  })
  const read = together({ ofOrganization, ...(engagementId !== null && { ofEngagement }) })
  return {
    ...read,
    data: read.data && {
      own: (read.data.ofEngagement ?? read.data.ofOrganization).data,
      shared: engagementId === null ? [] : read.data.ofOrganization.data,
    },
  }
}

/** The environment that this browser last chose here, if it still exists. */
export const useChosenEnvironment = () => {
  const { organizationId, engagementId } = usePlace()
  const key = `sortie.environment.${engagementId ?? organizationId}`
  const { data } = useEnvironments()
  const [chosen, setChosen] = useState(() => remembered(key))
  const all: readonly Environment[] = data ? [...data.own, ...data.shared] : []
  const choose = (environmentId: string | undefined) => {
    setChosen(environmentId)
    remember(key, environmentId)
  }
  return { own: data?.own ?? [], shared: data?.shared ?? [], environment: all.find(({ id }) => id === chosen), choose }
}

const remembered = (key: string): string | undefined => {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

const remember = (key: string, environmentId: string | undefined): void => {
  try {
    if (environmentId === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, environmentId)
  } catch {
    // Without storage, each visit starts without an environment.
  }
}
