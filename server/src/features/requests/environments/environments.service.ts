import {
  type Environment,
  MAX_SECRET_CHARACTERS,
  MAX_VARIABLES,
} from '@sortie/contract/requests/request-environments.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../../platform/auth/actor.ts'
import { isoTime } from '../../../platform/clock.ts'
import type { Writer } from '../../../platform/context.ts'
import type { Keys } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/database/connection/open.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { conflict, invalid, notFound } from '../../../platform/errors.ts'
import { announce } from '../../../platform/events/announce.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { requireStorage } from '../../files/storage-quota.service.ts'
import { lockWritablePlace, lockWritablePlaceInBody } from '../place.service.ts'
import { canonicalHosts, requireNoFurther, type SecretHosts } from '../secret-hosts.ts'
import { openKeptSecrets, openSecrets, sealSecrets } from '../secrets.ts'
import * as query from './environments.queries.ts'

const STALE = 'Someone else changed this in the meantime. Reload it, then repeat the change.'

interface VariableInput {
  name: string
  value: string | null
  secret: boolean
}

interface NewEnvironment {
  engagementId?: string | null
  name: string
  variables?: readonly VariableInput[]
  proxy?: string | null
  hosts?: SecretHosts
}

/**
 * Finds the environment for a request: one of the engagement or of the organization.
 *
 * @throws ApiError VALIDATION_ERROR if it does not exist
 */
export const requireUsableEnvironment = async (
  db: Database,
  organizationId: string,
  engagementId: string | null,
  environmentId: string,
): Promise<query.EnvironmentRow> => {
  const environment = await query.findEnvironment(db, organizationId, environmentId)
  if (environment && (environment.engagement_id === null || environment.engagement_id === engagementId))
    return environment
  throw invalid('environmentId: there is no such environment of this engagement or the organization')
}

/**
 * Creates an environment. @throws ApiError VALIDATION_ERROR for invalid variables or an invalid proxy, CONFLICT for an
 * archived engagement
 */
export const createEnvironment = (
  { change, clock, keys, config }: Writer,
  actor: Actor,
  wanted: NewEnvironment,
): Promise<query.EnvironmentRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const { engagementId = null, name, variables = [], proxy = null, hosts = null } = wanted
    await lockWritablePlaceInBody(tx, actor, engagementId)
    requireProxy(proxy)
    await requireStorage(tx, { config }, organizationId, 0)
    const now = clock.now()
    const id = newId('env', now)
    await query.insertEnvironment(tx, {
      id,
      organization_id: organizationId,
      engagement_id: engagementId,
      name,
      ...variableColumns(keys, organizationId, id, variables, {}),
      proxy,
      hosts: canonicalHosts(hosts),
      created_at: isoTime(now),
      updated_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'environment.created',
      object: { type: 'environment', id },
      ...(engagementId !== null && { engagementId }),
      after: { name, variables: variables.map((variable) => variable.name), proxy, hosts },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'created' })
    return requireEnvironment(await query.findEnvironment(tx, organizationId, id))
  })

interface EnvironmentChange {
  name?: string
  variables?: readonly VariableInput[]
  proxy?: string | null
  hosts?: SecretHosts
  ifUpdatedAt?: string
}

/**
 * Updates an environment. @throws ApiError NOT_FOUND, VALIDATION_ERROR for invalid variables or an invalid proxy,
 * CONFLICT for a stale change or an archived engagement
 */
export const updateEnvironment = (
  { change, clock, keys, config }: Writer,
  actor: Actor,
  id: string,
  wanted: EnvironmentChange,
): Promise<query.EnvironmentRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await lockVisibleEnvironment(tx, actor, id)
    if (wanted.ifUpdatedAt !== undefined && wanted.ifUpdatedAt !== before.updated_at) throw conflict(STALE)
    const { name, variables, proxy } = wanted
    if (proxy !== undefined) requireProxy(proxy)
    if (variables) await requireStorage(tx, { config }, organizationId, 0)
    const hosts = wanted.hosts === undefined ? before.hosts : canonicalHosts(wanted.hosts)
    requireNoFurther(before.hosts, hosts, keepsSecrets(before, variables))
    if (name === undefined && variables === undefined && proxy === undefined && wanted.hosts === undefined)
      return before
    await query.updateEnvironment(tx, organizationId, id, {
      ...(name !== undefined && { name }),
      ...(proxy !== undefined && { proxy }),
      hosts,
      ...(variables && variableColumns(keys, organizationId, id, variables, keptValues(keys, organizationId, before))),
      updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
    })
    await recordAudit(tx, actor, clock, {
      action: 'environment.changed',
      object: { type: 'environment', id },
      ...(before.engagement_id !== null && { engagementId: before.engagement_id }),
      before: {
        name: before.name,
        variables: namesOf(before.variables as VariableInput[]),
        proxy: before.proxy,
        hosts: before.hosts,
      },
      after: {
        name: name ?? before.name,
        variables: namesOf(variables ?? (before.variables as VariableInput[])),
        proxy: proxy === undefined ? before.proxy : proxy,
        hosts,
      },
    })
    await announce(tx, { type: 'request', engagementId: before.engagement_id, ids: [id], change: 'updated' })
    return requireEnvironment(await query.findEnvironment(tx, organizationId, id))
  })

/** Values of variables from a response. `isSecret`: it contains a secret, and must not be shown. */
export type KeptValues = Readonly<Record<string, { value: string; isSecret: boolean }>>

/**
 * Stores values in an environment of the same place: an environment of the organization is shared by engagements, and a
 * value of one client must not reach another. Does nothing if the environment was deleted, or if the values do not fit
 * into it.
 */
export const keepValues = async (
  tx: Transaction,
  { keys, clock }: Pick<Writer, 'keys' | 'clock'>,
  actor: Actor,
  place: { environmentId: string; engagementId: string | null },
  kept: KeptValues,
): Promise<void> => {
  const { organizationId } = actor
  const { environmentId: id, engagementId } = place
  const before = await query.lockEnvironment(tx, organizationId, id)
  if (before?.engagement_id !== engagementId) return
  const known = keptValues(keys, organizationId, before)
  const variables = before.variables as VariableInput[]
  const names = new Set(namesOf(variables))
  const wanted = [
    ...variables.map((variable) => {
      const own = Object.hasOwn(kept, variable.name) ? kept[variable.name] : undefined
      return own ? { name: variable.name, value: own.value, secret: variable.secret || own.isSecret } : variable
    }),
    ...Object.entries(kept).flatMap(([name, { value, isSecret }]) =>
      names.has(name) ? [] : [{ name, value, secret: isSecret }],
    ),
  ]
  const secretLength = wanted.reduce(
    (sum, { name, value, secret }) => sum + (secret ? (value ?? known[name] ?? '').length : 0),
    0,
  )
  if (wanted.length > MAX_VARIABLES || secretLength > MAX_SECRET_CHARACTERS) return
  await query.updateEnvironment(tx, organizationId, id, {
    ...variableColumns(keys, organizationId, id, wanted, known),
    updated_at: isoTime(Math.max(clock.now(), Date.parse(before.updated_at) + 1)),
  })
  await recordAudit(tx, actor, clock, {
    action: 'environment.changed',
    object: { type: 'environment', id },
    ...(engagementId !== null && { engagementId }),
    before: { variables: namesOf(variables) },
    after: { variables: namesOf(wanted), captured: Object.keys(kept) },
  })
  await announce(tx, { type: 'request', engagementId, ids: [id], change: 'updated' })
}

/** Deletes an environment. @throws ApiError NOT_FOUND, CONFLICT for an archived engagement */
export const deleteEnvironment = ({ change, clock }: Writer, actor: Actor, id: string): Promise<void> =>
  change(async (tx) => {
    const { name, engagement_id: engagementId } = await lockVisibleEnvironment(tx, actor, id)
    await query.deleteEnvironment(tx, actor.organizationId, id)
    await recordAudit(tx, actor, clock, {
      action: 'environment.deleted',
      object: { type: 'environment', id },
      ...(engagementId !== null && { engagementId }),
      before: { name },
    })
    await announce(tx, { type: 'request', engagementId, ids: [id], change: 'deleted' })
  })

/**
 * Returns all variables by name, with secrets, for sending. @throws ApiError CONFLICT for secrets that cannot be
 * decrypted
 */
export const valuesOf = (
  keys: Keys,
  organizationId: string,
  environment: query.EnvironmentRow,
): Record<string, string> => ({
  ...plainValues(environment),
  ...openSecrets(keys, placeOf(organizationId, environment.id), environment.secrets),
})

/** Returns the stored values for an update that keeps some of them; skips secrets that cannot be decrypted. */
const keptValues = (keys: Keys, organizationId: string, environment: query.EnvironmentRow): Record<string, string> => ({
  ...plainValues(environment),
  ...openKeptSecrets(keys, placeOf(organizationId, environment.id), environment.secrets),
})

const plainValues = ({ variables }: query.EnvironmentRow): Record<string, string> =>
  Object.fromEntries(
    (variables as VariableInput[]).flatMap(({ name, value }) => (value === null ? [] : [[name, value]])),
  )

/**
 * Returns only the secrets, by name.
 *
 * @throws ApiError CONFLICT for secrets that cannot be decrypted, VALIDATION_ERROR for secrets stored before the length
 *   limit that exceed it
 */
export const secretsOf = (
  keys: Keys,
  organizationId: string,
  { id, secrets }: query.EnvironmentRow,
): Record<string, string> => {
  const opened = openSecrets(keys, placeOf(organizationId, id), secrets)
  requireSecretLength(opened, 'environmentId')
  return opened
}

/** For each request, masking searches about 20 spellings of every secret (finding T2). */
const requireSecretLength = (secrets: Record<string, string>, field: string): void => {
  const length = Object.values(secrets).reduce((sum, value) => sum + value.length, 0)
  if (length > MAX_SECRET_CHARACTERS) {
    throw invalid(
      `${field}: the secrets of an environment have at most ${MAX_SECRET_CHARACTERS} characters together; these have ${length}`,
    )
  }
}

export const toEnvironment = (row: query.EnvironmentRow): Static<typeof Environment> => ({
  id: row.id,
  engagementId: row.engagement_id,
  name: row.name,
  variables: (row.variables as (VariableInput & { isSet: boolean })[]).map(({ name, value, secret, isSet }) => ({
    name,
    value,
    secret,
    isSet,
  })),
  proxy: row.proxy,
  hosts: row.hosts,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const placeOf = (organizationId: string, id: string) =>
  ({ organizationId, column: 'request_environments.secrets', id }) as const

const namesOf = (variables: readonly { name: string }[]): string[] => variables.map(({ name }) => name)

const lockVisibleEnvironment = async (tx: Transaction, actor: Actor, id: string): Promise<query.EnvironmentRow> => {
  const { engagement_id: engagementId } = requireEnvironment(await query.findEnvironment(tx, actor.organizationId, id))
  await lockWritablePlace(tx, actor, engagementId)
  return requireEnvironment(await query.lockEnvironment(tx, actor.organizationId, id))
}

/** True if a stored secret is kept without being entered again. */
const keepsSecrets = ({ variables }: query.EnvironmentRow, wanted: readonly VariableInput[] | undefined): boolean => {
  const sealed = new Set(
    (variables as (VariableInput & { isSet: boolean })[])
      .filter(({ secret, isSet }) => secret && isSet)
      .map(({ name }) => name),
  )
  return wanted === undefined
    ? sealed.size > 0
    : wanted.some(({ name, value, secret }) => secret && value === null && sealed.has(name))
}

const requireEnvironment = (row: query.EnvironmentRow | undefined): query.EnvironmentRow => {
  if (!row) throw notFound()
  return row
}

/**
 * @param known stored values: a secret without a new value keeps its own, and a variable that becomes a secret keeps
 *   its value. A secret that becomes a plain variable needs a new value, so its old one is never shown.
 */
export const variableColumns = (
  keys: Keys,
  organizationId: string,
  id: string,
  wanted: readonly VariableInput[],
  known: Record<string, string>,
) => {
  const secrets: Record<string, string> = {}
  const seen = new Set<string>()
  const variables = wanted.map(({ name, value, secret }, index) => {
    if (seen.has(name)) throw invalid(`variables.${index}.name: must not occur twice`)
    seen.add(name)
    if (!secret && value === null)
      throw invalid(`variables.${index}.value: is required unless the variable is a secret`)
    if (!secret) return { name, value, secret, isSet: true }
    const kept = value ?? (Object.hasOwn(known, name) ? known[name] : undefined)
    if (kept !== undefined) secrets[name] = kept
    return { name, value: null, secret, isSet: kept !== undefined }
  })
  requireSecretLength(secrets, 'variables')
  return { variables: JSON.stringify(variables), secrets: sealSecrets(keys, placeOf(organizationId, id), secrets) }
}

const PROXY_PROTOCOLS = ['http:', 'https:', 'socks5:']

const requireProxy = (proxy: string | null): void => {
  if (proxy === null) return
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (!url || !PROXY_PROTOCOLS.includes(url.protocol) || url.hostname === '')
    throw invalid('proxy: must be an http, https or socks5 address')
  if (url.username || url.password) throw invalid('proxy: must not contain credentials, since every member can see it')
  if (!['', '/'].includes(url.pathname) || url.search || url.hash)
    throw invalid('proxy: must have no path, query or fragment')
}
