import type { Output } from '@sortie/client/calls.ts'
import { createContext, useContext } from 'react'
import type { Tenant, WebCall } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/organization.tsx'

export type RequestSummary = Output<'listApiRequests'>['data'][number]
export type ApiRequest = Output<'getApiRequest'>['data']
export type RequestFolder = Output<'getRequestFolder'>['data']
export type Environment = Output<'getEnvironment'>['data']
export type Run = Output<'getRequestRun'>['data']
export type RunSummary = Output<'listRequestRuns'>['data'][number]
export type Sequence = Output<'getRequestSequence'>['data']
export type Auth = ApiRequest['auth']

/** A request that is being written, and was never saved. */
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

/** Where requests are shown: in an engagement, or in the library of the organization. */
interface OpenPlace {
  /** Null for the organization's. */
  engagementId: string | null
  /** For the browser's tab. */
  name: string
  mayWrite: boolean
  /** Why nothing is sent from here; undefined where it is. */
  notSent?: string | undefined
  /** Something is sent without an engagement from here, once it was said why. */
  needsReason?: boolean
}

const PlaceContext = createContext<OpenPlace | undefined>(undefined)

export const PlaceProvider = PlaceContext.Provider

/** The place that is open, and addresses in it. */
export const usePlace = () => {
  const place = useContext(PlaceContext)
  const { id, slug } = useOrganization()
  if (!place) throw new Error('usePlace is for the pages of requests')
  const { engagementId } = place
  return {
    ...place,
    organizationId: id,
    home: engagementId === null ? paths.requests(slug) : paths.engagementRequests(slug, engagementId),
    /** Whether a request is one of the organization, opened within an engagement. */
    isFromLibrary: (request: ApiRequest) => engagementId !== null && request.engagementId === null && !isNew(request),
    /** Of a request, folder, environment, run or sequence, by its id; or of the `environments`, `runs` and `new`. */
    addressOf: (objectId: string) => (engagementId === null ? paths.openRequest(slug, objectId) : paths.openEngagementRequest(slug, engagementId, objectId)),
    /** Of a result of the engagement. */
    resultAddress: (resultId: string) => `${paths.results(slug, engagementId ?? '')}?peek=${resultId}`,
    /** Parameters of whatever lists what is in this place alone. */
    placeQuery: engagementId === null ? ({ organization: true } as const) : ({ engagementId } as const),
  }
}

/** Reads that are stale once requests or folders have changed. */
export const staleRequests = (organizationId: string): (readonly [Tenant, WebCall])[] =>
  (['listApiRequests', 'getApiRequest', 'listRequestFolders', 'getRequestFolder'] as const).map((name) => [organizationId, name] as const)

/** Reads that are stale once something was sent. */
export const staleRuns = (organizationId: string): (readonly [Tenant, WebCall])[] =>
  (['listApiRequests', 'getApiRequest', 'listRequestRuns', 'listRequestSequences', 'getRequestSequence'] as const).map(
    (name) => [organizationId, name] as const,
  )
