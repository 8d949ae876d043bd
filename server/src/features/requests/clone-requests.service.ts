import { MAX_TRANSFERRED } from '@sortie/contract/requests/request-transfer.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { newId } from '../../platform/ids.ts'
import type { Cloning } from '../engagements/parts.ts'
import { insertEnvironment, listAllEnvironments } from './environments/environments.queries.ts'
import { insertFolders, listAllFolders } from './folders/folders.queries.ts'
import { writesNoFiles } from './saved/definition.ts'
import { findRequest, insertRequests, listAllSummaries } from './saved/requests.queries.ts'
import { definitionOf, personOf } from './saved/requests.service.ts'
import type { AuthInput } from './secrets.ts'

/**
 * Copies folders, requests and environments to another engagement, without runs, files and secrets. Users must enter
 * secrets again.
 */
export const cloneRequests = async (tx: Transaction, { actor, clock, from, to }: Cloning): Promise<undefined> => {
  const { organizationId } = actor
  const now = clock.now()
  const scope = {
    organization_id: organizationId,
    engagement_id: to,
    created_at: isoTime(now),
    updated_at: isoTime(now),
  }
  const folders = await listAllFolders(tx, organizationId, from, MAX_TRANSFERRED)
  const newIds = new Map(folders.map(({ id }) => [id, newId('fld', now)]))
  const inNew = (id: string | null): string | null => (id === null ? null : (newIds.get(id) ?? null))
  // One statement, because a folder may come before its parent.
  await insertFolders(
    tx,
    folders.map(({ id, parent_id, name, auth, hosts, position }) => ({
      id: newIds.get(id) as string,
      ...scope,
      parent_id: inNew(parent_id),
      name,
      position,
      auth: JSON.stringify(withoutSecret(auth as AuthInput)),
      auth_secret: null,
      hosts,
    })),
  )
  for (const { id } of await listAllSummaries(tx, organizationId, from, MAX_TRANSFERRED)) {
    const row = await findRequest(tx, organizationId, id)
    if (!row) continue
    const definition = definitionOf(row)
    const auth = withoutSecret((row.definition as { auth: AuthInput }).auth)
    const { name, description, method, url, position } = row
    await insertRequests(tx, [
      {
        id: newId('req', now),
        ...scope,
        folder_id: inNew(row.folder_id),
        name,
        description,
        method,
        url,
        position,
        definition: JSON.stringify({
          ...definition,
          body: writesNoFiles(definition.body),
          auth,
        }),
        auth_secret: null,
        created_by: personOf(actor),
      },
    ])
  }
  for (const { name, variables, proxy, hosts } of await listAllEnvironments(
    tx,
    organizationId,
    from,
    MAX_TRANSFERRED,
  )) {
    const kept = (variables as { secret: boolean }[]).map((variable) =>
      variable.secret ? { ...variable, isSet: false } : variable,
    )
    await insertEnvironment(tx, {
      id: newId('env', now),
      ...scope,
      name,
      variables: JSON.stringify(kept),
      secrets: null,
      proxy,
      hosts,
    })
  }
  return undefined
}

/** A stored secret is shown as `null`; variables are kept. */
const withoutSecret = (auth: AuthInput): AuthInput => {
  const isSecret =
    auth.isSet === true && [auth.password, auth.token, auth.value].every((text) => text === null || text === undefined)
  return isSecret ? { ...auth, isSet: false } : auth
}
