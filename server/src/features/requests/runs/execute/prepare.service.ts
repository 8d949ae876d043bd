import type { Actor } from '../../../../platform/auth/actor.ts'
import { requirePermission } from '../../../../platform/auth/guard.ts'
import type { Writer } from '../../../../platform/context.ts'
import { invalid } from '../../../../platform/errors.ts'
import { findStoredFile, openStoredFile } from '../../../files/files.service.ts'
import { findTarget } from '../../../targets/targets.queries.ts'
import { requireUsableEnvironment, secretsOf, valuesOf } from '../../environments/environments.service.ts'
import { findGivingFolder } from '../../folders/folders.service.ts'
import {
  type AssertionRule,
  type CaptureRule,
  type Options,
  type RequestInput,
  toDefinition,
} from '../../saved/definition.ts'
import { findRequest } from '../../saved/requests.queries.ts'
import { definitionOf, requireRequest, storedAuth } from '../../saved/requests.service.ts'
import { type BoundSecrets, findRefusing } from '../../secret-hosts.ts'
import {
  type AuthInput,
  hostOfSecret,
  joinAuth,
  openSecrets,
  requireHostForSecret,
  requireSecretForHost,
  type StoredAuth,
  splitAuth,
  usesStoredSecret,
} from '../../secrets.ts'
import type { FindFile } from '../../sending/build/body.ts'
import { type BuiltRequest, buildRequest } from '../../sending/build/build-request.ts'
import { headerValues } from '../../sending/build/headers.ts'
import { writtenHost } from '../../sending/build/host-header.ts'
import { createVariables } from '../../sending/build/variables.ts'
import { createMask, type Mask } from '../../sending/mask.ts'

/** Options of `execute` and `send`. */
export interface Execution {
  engagementId?: string | null
  environmentId?: string
  variables?: Record<string, string>
  targetId?: string
  /** Why it is sent without an engagement. */
  override?: { reason: string }
  /** The retest that sends it; never from a request of a client. */
  retestId?: string
}

/** Captures of earlier requests of a sequence, including secrets. */
export interface Carried {
  sequenceId: string
  captured: Record<string, string>
}

/** The input of a preparation; another process can repeat it. */
export type RequestSource =
  | { saved: string; execution: Execution; carried?: Carried | undefined }
  | { unsaved: RequestInput; execution: Execution & { requestId?: string } }

/** A validated request with everything needed to send it. */
export interface Prepared {
  request: BuiltRequest
  options: Options
  captures: CaptureRule[]
  assertions: AssertionRule[]
  proxy: URL | undefined
  mask: Mask
  /** Hosts of the secrets that it uses: each hop, proxy and custom `Host` must be among the hosts of all of them. */
  boundSecrets: BoundSecrets[]
  requestId: string | null
  engagementId: string | null
  environmentId: string | null
  sequenceId: string | null
  /** Why it is sent without an engagement; null if it has one. */
  override: { reason: string } | null
  source: RequestSource
}

type Reader = Pick<Writer, 'db' | 'keys' | 'config' | 'storage'>

/** Prepares a saved request. @throws ApiError NOT_FOUND, VALIDATION_ERROR for a request that cannot be sent */
export const prepareSaved = async (
  reader: Reader,
  actor: Actor,
  requestId: string,
  execution: Execution,
  carried?: Carried,
): Promise<Prepared> => {
  const { db, keys } = reader
  const { organizationId } = actor
  const row = await requireRequest(db, organizationId, requestId)
  const engagementId = placeOf(row, execution)
  const stored = storedAuth(keys, organizationId, row)
  requireHostForSecret(stored, row.url)
  const { auth, bound: inherited } = await effectiveAuth(reader, organizationId, joinAuth(stored), row.folder_id)
  const bound = [...inherited, ...boundToRequest(stored, row.url)]
  const input = { method: row.method, url: row.url, ...definitionOf(row) }
  const findFile = fileOf(reader, organizationId, requestId)
  const source = { saved: requestId, execution, carried }
  return prepare(reader, actor, { ...input, auth, bound }, findFile, {
    ...execution,
    engagementId,
    requestId,
    carried,
    source,
  })
}

/**
 * Prepares an unsaved request.
 *
 * @param requestId the saved request that is being edited: its files, inherited auth and stored secret (`null`) are
 *   used, and the run is added to its history
 * @throws ApiError VALIDATION_ERROR for a request that cannot be sent
 */
export const prepareUnsaved = async (
  reader: Reader,
  actor: Actor,
  input: RequestInput,
  unsaved: Execution & { requestId?: string },
): Promise<Prepared> => {
  const { db, keys } = reader
  const { requestId, ...execution } = unsaved
  const { organizationId } = actor
  const row = requestId === undefined ? undefined : await findRequest(db, organizationId, requestId)
  if (requestId !== undefined && !row) throw invalid('requestId: there is no such request')
  const stored = row && storedAuth(keys, organizationId, row)
  const written = input.auth ?? { type: 'none' }
  if (row && stored) {
    requireSecretForHost(stored, row.url, written, input.url)
    requireHostForSecret(stored, input.url, written)
  }
  const split = splitAuth(written, stored)
  const { auth, bound: inherited } = await effectiveAuth(
    reader,
    organizationId,
    joinAuth(split),
    row?.folder_id ?? null,
  )
  const bound = [...inherited, ...(stored ? boundToRequest(stored, input.url, written) : [])]
  const wanted = { method: input.method ?? 'GET', url: input.url, ...toDefinition(input), auth, bound }
  const engagementId = row ? placeOf(row, execution) : (execution.engagementId ?? null)
  const findFile = row ? fileOf(reader, organizationId, row.id) : noFile
  const source = { unsaved: input, execution: unsaved }
  return prepare(reader, actor, wanted, findFile, {
    ...execution,
    engagementId,
    requestId: row?.id ?? null,
    carried: undefined,
    source,
  })
}

/** Prepares a request again, from current data. @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export const prepareAgain = (reader: Reader, actor: Actor, source: RequestSource): Promise<Prepared> =>
  'saved' in source
    ? prepareSaved(reader, actor, source.saved, source.execution, source.carried)
    : prepareUnsaved(reader, actor, source.unsaved, source.execution)

/** @throws ApiError VALIDATION_ERROR if the request belongs to another engagement than the named one */
const placeOf = (
  { engagement_id: own }: { engagement_id: string | null },
  { engagementId }: Execution,
): string | null => {
  if (own !== null && (engagementId ?? own) !== own)
    throw invalid('engagementId: the request belongs to another engagement')
  return own ?? engagementId ?? null
}

const fileOf =
  (reader: Reader, organizationId: string, requestId: string): FindFile =>
  async (field, fileId) => {
    const owner = { type: 'request', id: requestId } as const
    const file = await findStoredFile(reader.db, organizationId, owner, fileId)
    if (!file) throw invalid(`${field}: there is no such file of this request`)
    return {
      fileName: file.file_name,
      size: file.size,
      open: async () => (await openStoredFile(reader, organizationId, owner, fileId)).file,
    }
  }

const noFile: FindFile = async (field) => {
  throw invalid(`${field}: files belong to saved requests`)
}

interface Whole extends Execution {
  engagementId: string | null
  requestId: string | null
  carried: Carried | undefined
  source: RequestSource
}

type PrepareInput = Parameters<typeof buildRequest>[0] & {
  options: Options
  captures: CaptureRule[]
  assertions: AssertionRule[]
  bound: BoundSecrets[]
}

const prepare = async (
  { db, keys }: Reader,
  actor: Actor,
  wanted: PrepareInput,
  findFile: FindFile,
  whole: Whole,
): Promise<Prepared> => {
  const { organizationId } = actor
  const { engagementId, environmentId = null, variables = {}, targetId, requestId, carried, source } = whole
  const environment =
    environmentId === null ? undefined : await requireUsableEnvironment(db, organizationId, engagementId, environmentId)
  const ofTarget = targetId === undefined ? {} : await targetValues(db, actor, engagementId, targetId)
  const typedOver = { ...variables, ...carried?.captured }
  const values = { ...ofTarget, ...(environment && valuesOf(keys, organizationId, environment)), ...typedOver }
  const secrets = environment ? secretsOf(keys, organizationId, environment) : {}
  const { auth, options, captures, assertions } = wanted
  const typed = [auth.password, auth.token, auth.value].flatMap((text) => (text && !text.includes('{{') ? [text] : []))
  const filled = createVariables(values, new Set([...Object.keys(secrets), ...Object.keys(carried?.captured ?? {})]))
  const request = await buildRequest(wanted, filled, findFile)
  const usesSecret = Object.keys(secrets).some((name) => filled.used.has(name) && !Object.hasOwn(typedOver, name))
  const bound = [
    ...wanted.bound,
    ...(usesSecret ? boundTo(`the environment ${environment?.name}`, environment?.hosts ?? null) : []),
  ]
  const proxy = environment?.proxy ? new URL(environment.proxy) : undefined
  requireBound(bound, request, proxy)
  return {
    request,
    options,
    captures,
    assertions,
    proxy,
    mask: maskOf([...typed, ...Object.values(secrets)], request),
    boundSecrets: bound,
    requestId,
    engagementId,
    environmentId,
    sequenceId: carried?.sequenceId ?? null,
    override: whole.override ?? null,
    source,
  }
}

/** Name and password are one Base64 text, in which a short password determines too few characters to be found. */
const maskOf = (secrets: readonly string[], { headers }: BuiltRequest): Mask => {
  const mask = createMask(secrets)
  const basic = headerValues(headers, 'authorization').flatMap((value) => /^Basic ([\w+/=-]+)$/i.exec(value)?.[1] ?? [])
  const holding = basic.filter((credentials) => {
    const text = Buffer.from(credentials, 'base64').toString()
    return mask(text) !== text
  })
  return holding.length === 0 ? mask : createMask([...secrets, ...holding])
}

/**
 * @throws ApiError FORBIDDEN without the scope to read targets, VALIDATION_ERROR for a target outside the engagement
 */
const targetValues = async (
  db: Reader['db'],
  actor: Actor,
  engagementId: string | null,
  targetId: string,
): Promise<Record<string, string>> => {
  requirePermission(actor, { scope: 'targets:read' })
  const target = await findTarget(db, actor.organizationId, targetId)
  if (!target || target.engagement_id !== engagementId)
    throw invalid('targetId: there is no such target of this engagement')
  const { kind, canonical } = target
  const address =
    kind === 'service'
      ? canonical.replace(/\/(?:tcp|udp)$/, '')
      : kind === 'ip' && canonical.includes(':')
        ? `[${canonical}]`
        : canonical
  const url = kind === 'url' ? canonical : `https://${address}`
  const host = URL.canParse(url) ? new URL(url).hostname : canonical
  return { 'target.value': target.value, 'target.host': host, 'target.url': url }
}

const boundTo = (of: string, hosts: readonly string[] | null): BoundSecrets[] => (hosts === null ? [] : [{ of, hosts }])

/**
 * @throws ApiError VALIDATION_ERROR for a host that a secret is not for. The message omits the host, because its name
 *   may contain a secret.
 */
const requireBound = (bound: readonly BoundSecrets[], { url, headers }: BuiltRequest, proxy: URL | undefined): void => {
  const refusing = findRefusing(bound, url)
  if (refusing)
    throw invalid(
      `url: must lead to ${refusing.hosts.join(' or ')}, since secrets of ${refusing.of} are sent only there`,
    )
  const ofProxy = proxy && findRefusing(bound, proxy)
  if (ofProxy) throw invalid(`environmentId: has a proxy that secrets of ${ofProxy.of} are not sent to`)
  const host = writtenHost(url, headers)
  const [first] = bound
  const ofHost = host ? findRefusing(bound, host) : host === undefined ? first : undefined
  if (ofHost)
    throw invalid(
      `headers: Host must be ${ofHost.hosts.join(' or ')}, since secrets of ${ofHost.of} are sent only there`,
    )
}

/**
 * A stored password or token is only for the host of its request: other users can choose its proxy and `Host` (finding
 * T9).
 */
const boundToRequest = (stored: StoredAuth, address: string, written?: AuthInput): BoundSecrets[] => {
  const host = usesStoredSecret(stored, written) ? hostOfSecret(address) : undefined
  return host === undefined ? [] : [{ of: 'this request', hosts: [host.replace(/\.$/, '')] }]
}

interface Effective {
  auth: AuthInput
  bound: BoundSecrets[]
}

/** Resolves `inherit` through the folders upwards; the default is none. */
const effectiveAuth = async (
  { db, keys }: Reader,
  organizationId: string,
  auth: AuthInput,
  folderId: string | null,
): Promise<Effective> => {
  if (auth.type !== 'inherit') return { auth, bound: [] }
  const giving = await findGivingFolder(db, organizationId, folderId)
  if (!giving) return { auth: { type: 'none' }, bound: [] }
  const secrets = openSecrets(
    keys,
    { organizationId, column: 'request_folders.auth_secret', id: giving.id },
    giving.auth_secret,
  )
  const bound = Object.keys(secrets).length > 0 ? boundTo(`the folder ${giving.name}`, giving.hosts) : []
  return { auth: joinAuth({ shown: giving.auth as AuthInput, secrets }), bound }
}
