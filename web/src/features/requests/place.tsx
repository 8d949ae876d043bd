import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'
import type { Tenant, WebCall } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'

export type RequestSummary = Output<'listApiRequests'>['data'][number]
export type ApiRequest = Output<'getApiRequest'>['data']
export type RequestFolder = Output<'getRequestFolder'>['data']
export type Environment = Output<'getEnvironment'>['data']
export type Run = Output<'getRequestRun'>['data']
export type RunSummary = Output<'listRequestRuns'>['data'][number]
export type Sequence = Output<'getRequestSequence'>['data']
export type Auth = ApiRequest['auth']

/** Template of a new, unsaved request. */
export const NEW_REQUEST: ApiRequest = {
  id: '',
  engagementId: null,
  folderId: null,
  name: 'New request',
  description: '',
  method: 'GET',
  url: '',
  query: [],
  headers: [],
  body: { mode: 'none' },
  auth: { type: 'inherit' },
  options: { timeoutMs: 30_000, followRedirects: 'no', maxRedirects: 10, verifyTls: true, httpVersion: 'auto' },
  captures: [],
  assertions: [],
  position: '',
  lastRun: null,
  createdBy: null,
  createdAt: '',
  updatedAt: '',
}

export const isNew = ({ id }: ApiRequest): boolean => id === NEW_REQUEST.id

/** Context of requests: an engagement, or the library of the organization. */
interface OpenPlace {
  /** Null for the organization. */
  engagementId: string | null
  /** For the browser tab. */
  name: string
  mayWrite: boolean
  /** Reason why nothing can be sent from here; undefined if sending is possible. */
  notSent?: string | undefined
  /** Sending requires a reason, because there is no engagement. */
  needsReason?: boolean
}

const PlaceContext = createContext<OpenPlace | undefined>(undefined)

export const PlaceProvider = PlaceContext.Provider

/** The open engagement or library, with the addresses in it. */
export const usePlace = () => {
  const place = useContext(PlaceContext)
  const { id, slug } = useOrganization()
  if (!place) throw new Error('usePlace is for the pages of requests')
  const { engagementId } = place
  return {
    ...place,
    organizationId: id,
    home: engagementId === null ? paths.requests(slug) : paths.engagementRequests(slug, engagementId),
    /** A library request that is open in an engagement. */
    isFromLibrary: (request: ApiRequest) => engagementId !== null && request.engagementId === null && !isNew(request),
    /** Address of a request, folder, environment, run or sequence by id, or of `environments`, `runs` and `new`. */
    addressOf: (objectId: string) =>
      engagementId === null
        ? paths.openRequest(slug, objectId)
        : paths.openEngagementRequest(slug, engagementId, objectId),
    /** Address of a result of the engagement. */
    resultAddress: (resultId: string) => `${paths.results(slug, engagementId ?? '')}?peek=${resultId}`,
    /** Query that limits a list to this engagement or library. */
    placeQuery: engagementId === null ? ({ organization: true } as const) : ({ engagementId } as const),
  }
}

/** Reads that become stale when requests or folders change. */
export const staleRequests = (organizationId: string): (readonly [Tenant, WebCall])[] =>
  (['listApiRequests', 'getApiRequest', 'listRequestFolders', 'getRequestFolder'] as const).map(
    (name) => [organizationId, name] as const,
  )

/** Reads that become stale after a request was sent. */
export const staleRuns = (organizationId: string): (readonly [Tenant, WebCall])[] =>
  (['listApiRequests', 'getApiRequest', 'listRequestRuns', 'listRequestSequences', 'getRequestSequence'] as const).map(
    (name) => [organizationId, name] as const,
  )
