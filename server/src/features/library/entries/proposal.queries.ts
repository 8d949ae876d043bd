import type { LibraryTextValue } from '@sortie/contract/findings/library-fields.ts'
import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connection/open.ts'

/** A finding that the caller sees, as far as an entry takes it over. */
export interface ProposedFinding extends Omit<LibraryTextValue, 'references'> {
  id: string
  engagement_id: string
  severity: number
  cvss_vector: string | null
  source_references: string[]
  cwe: string[]
  owasp: string[]
  wstg: string[]
  attack: string[]
  tags: string[]
}

export const findProposedFinding = (
  db: Database,
  organizationId: string,
  findingId: string,
): Promise<ProposedFinding | undefined> =>
  db
    .selectFrom('findings')
    .select([
      'id',
      'engagement_id',
      'title',
      'severity',
      'cvss_vector',
      'summary',
      'description',
      'impact',
      'reproduction',
      'recommendation',
    ])
    .select(['source_references', 'cwe', 'owasp', 'wstg', 'attack', 'tags'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', findingId)
    .executeTakeFirst()

const MAX_TARGETS = 5_000

/**
 * Names, hosts and addresses that belong to the client of an engagement: those of client, contacts, targets and
 * affected assets.
 */
export const listClientNames = async (
  db: Database,
  organizationId: string,
  engagementId: string,
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    with here as (select e.id, e.client_id, e.client_name, e.contacts from engagements e where e.organization_id = ${organizationId} and e.id = ${engagementId})
    select client_name as name from here
    union select unnest(array[c.name, c.short_name] || c.domains) from here join clients c on c.organization_id = ${organizationId} and c.id = here.client_id
    union select contact ->> field from here, jsonb_array_elements(here.contacts) as contact, unnest(array['name', 'email', 'phone']) as field
    union select contact ->> field from here join clients c on c.organization_id = ${organizationId} and c.id = here.client_id,
      jsonb_array_elements(c.contacts) as contact, unnest(array['name', 'email', 'phone']) as field
    union (select t.canonical from targets t where t.organization_id = ${organizationId} and t.engagement_id = ${engagementId} order by t.id limit ${MAX_TARGETS})`.execute(
    db,
  )
  return rows.flatMap(({ name }) => (name ? [name] : []))
}
