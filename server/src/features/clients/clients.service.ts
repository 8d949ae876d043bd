import type * as contract from '@sortie/contract/clients/clients.ts'
import type { Body } from '@sortie/contract/core/endpoint.ts'
import type { Insertable } from 'kysely'
import { type Actor, authorOf } from '../../platform/auth/actor.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Writer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Clients } from '../../platform/database/types.gen.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { canonicalJson } from '../../platform/text/json.ts'
import { parseDomain } from '../../platform/text/text.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { setFields } from '../custom-fields/field-values.service.ts'
import * as query from './clients.queries.ts'

/** Without undefined values. */
type Columns = Omit<Insertable<Clients>, 'id' | 'organization_id' | 'name' | 'created_at' | 'updated_at'> & {
  name?: string
}

type Fields = Omit<Body<typeof contract.updateClient>, 'ifUpdatedAt' | 'fields'>

/** @throws ApiError VALIDATION_ERROR for an invalid domain or language */
export const createClient = (
  { change, clock }: Writer,
  actor: Actor,
  { fields: custom, ...wanted }: Body<typeof contract.createClient>,
): Promise<query.ClientRow> =>
  change(async (tx) => {
    const now = clock.now()
    const id = newId('cli', now)
    const { name, ...fields } = canonicalFields(wanted)
    await query.insertClient(tx, { ...columnsOf(fields), ...newClient(actor, id, name, isoTime(now)) })
    const set = await setFields(tx, actor, { type: 'client', id, engagementId: null }, custom)
    const after = { name, ...fields, ...(set && { fields: set.after }) }
    await recordAudit(tx, actor, clock, { action: 'client.created', object: { type: 'client', id }, after })
    return requireClient(tx, actor.organizationId, id)
  })

/**
 * Unchanged values have no effect. @throws ApiError NOT_FOUND, CONFLICT for a stale change, VALIDATION_ERROR for an
 * invalid value
 */
export const updateClient = (
  { change, clock }: Writer,
  actor: Actor,
  clientId: string,
  { ifUpdatedAt, fields, ...wanted }: Body<typeof contract.updateClient>,
): Promise<query.ClientRow> =>
  change(async (tx) => {
    const { organizationId } = actor
    const before = await query.lockClient(tx, organizationId, clientId)
    if (!before) throw notFound()
    if (ifUpdatedAt !== undefined && ifUpdatedAt !== before.updated_at) {
      throw conflict('This client was changed in the meantime. Read it again, then repeat the change.')
    }
    const current = fieldsOf(before)
    const changed = Object.entries(canonicalFields(wanted)).filter(
      ([field, value]) => value !== undefined && canonicalJson(value) !== canonicalJson(current[field as keyof Fields]),
    )
    const set = await setFields(tx, actor, { type: 'client', id: clientId, engagementId: null }, fields)
    if (changed.length === 0 && !set) return before
    const now = Math.max(clock.now(), Date.parse(before.updated_at) + 1)
    await query.updateClient(tx, organizationId, clientId, {
      ...columnsOf(Object.fromEntries(changed)),
      updated_at: isoTime(now),
    })
    await recordAudit(tx, actor, clock, {
      action: 'client.changed',
      object: { type: 'client', id: clientId },
      before: {
        ...Object.fromEntries(changed.map(([field]) => [field, current[field as keyof Fields]])),
        ...(set && { fields: set.before }),
      },
      after: { ...Object.fromEntries(changed), ...(set && { fields: set.after }) },
    })
    return requireClient(tx, organizationId, clientId)
  })

/**
 * @param deleteFiles deletes the rows of the client's files
 * @throws ApiError NOT_FOUND, CONFLICT for a client with engagements
 */
export const deleteClient = (
  { change, clock }: Writer,
  actor: Actor,
  clientId: string,
  deleteFiles: (tx: Transaction, organizationId: string, clientId: string) => Promise<void>,
): Promise<void> =>
  change(async (tx) => {
    const { organizationId } = actor
    const client = await query.lockClientForDeletion(tx, organizationId, clientId)
    if (!client) throw notFound()
    if (await query.findHasEngagements(tx, organizationId, clientId)) {
      throw conflict('This client has engagements: delete them, or give them another client first.')
    }
    await deleteFiles(tx, organizationId, clientId)
    await query.deleteClient(tx, organizationId, clientId)
    await recordAudit(tx, actor, clock, {
      action: 'client.deleted',
      object: { type: 'client', id: clientId },
      before: { name: client.name },
    })
  })

const requireClient = async (tx: Transaction, organizationId: string, clientId: string): Promise<query.ClientRow> => {
  const client = await query.findClient(tx, organizationId, clientId)
  if (!client) throw notFound()
  return client
}

/** The required columns of a new client. */
export const newClient = (actor: Actor, id: string, name: string, now: string) => ({
  id,
  organization_id: actor.organizationId,
  name,
  created_by: authorOf(actor),
  created_at: now,
  updated_at: now,
})

/** Domains in ASCII and language tags as BCP 47 writes them. @throws ApiError VALIDATION_ERROR */
const canonicalFields = <F extends Fields>(wanted: F): F => ({
  ...wanted,
  ...(wanted.domains && { domains: [...new Set(wanted.domains.map(canonicalDomain))] }),
  ...(wanted.language && { language: canonicalLanguage(wanted.language) }),
})

const canonicalDomain = (written: string, index: number): string => {
  const domain = parseDomain(written)
  if (domain === undefined) throw invalid(`domains.${index}: must be a domain name, such as contoso.example`)
  return domain
}

const canonicalLanguage = (tag: string): string => {
  try {
    return Intl.getCanonicalLocales(tag)[0] as string
  } catch {
    throw invalid('language: must be a language tag, such as en-GB')
  }
}

const columnsOf = ({ name, shortName, domains, contacts, notes, language, retention }: Fields): Columns => {
  const columns = {
    name,
    short_name: shortName,
    domains,
    contacts: contacts && JSON.stringify(contacts),
    notes,
    language,
    retention: retention && JSON.stringify(retention),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Columns
}

const fieldsOf = (row: query.ClientRow): Required<Fields> => ({
  name: row.name,
  shortName: row.short_name,
  domains: row.domains,
  contacts: row.contacts as Required<Fields>['contacts'],
  notes: row.notes,
  language: row.language,
  retention: row.retention as Required<Fields>['retention'],
})
