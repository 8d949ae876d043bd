import { newId } from '../../server/src/platform/ids.ts'
import { withClient } from './database.ts'
import type { SeededOrganization } from './seed.ts'

/**
 * An engagement with so many targets, results and tasks. Their values repeat alike in any number: every third is a domain, every
 * hundredth is of the rarest kind, and the name of each holds its number.
 *
 * @returns the engagement's id
 */
export const seedObjects = (databaseUrl: string, { id: organizationId, keyId }: SeededOrganization, count: number): Promise<string> =>
  withClient(databaseUrl, async (client) => {
    const engagementId = newId('eng')
    // Rows that belong together come at once: foreign keys and the words of the search over everything are not looked at.
    await client.query('set session_replication_role = replica')
    await client.query(`update api_keys set scopes = '{organizations:read,targets:read,tasks:read}' where id = $1`, [keyId])
    await client.query(
      `insert into engagements (id, organization_id, name, description, status, created_at, updated_at, details_updated_at)
        values ($1, $2, 'Large', '', 'active', now(), now(), now())`,
      [engagementId, organizationId],
    )
    const rows = [organizationId, engagementId, count]
    await client.query(
      `insert into targets (id, organization_id, engagement_id, kind, value, canonical, identity, order_key, source, criticality, created_at, updated_at)
        select 'tgt_' || right($2, 8) || lpad(i::text, 18, '0'), $1, $2, case when i % 3 = 0 then 'domain' when i % 100 = 1 then 'cloud' else 'ip' end,
          'host-' || i || '.example', 'host-' || i || '.example', sha256(convert_to($2 || i, 'UTF8')), lpad(i::text, 10, '0'), 'manual', i % 5, now(), now()
        from generate_series(1, $3::int) i`,
      rows,
    )
    await client.query(
      `insert into target_verdicts (target_id, organization_id, engagement_id, verdict)
        select id, $1, $2, case when kind = 'domain' then 'in' else 'unknown' end from targets where engagement_id = $2`,
      [organizationId, engagementId],
    )
    await client.query(
      `insert into results (id, organization_id, engagement_id, kind, identity, asset, asset_key, host, protocol, port, title, severity, status, first_seen_at,
          last_seen_at, evidence_at, created_at, updated_at)
        select 'res_' || right($2, 8) || lpad(i::text, 18, '0'), $1, $2, case when i % 10 = 0 then 'vulnerability' else 'service' end, $2 || i, 'host-' || i || ':443/tcp',
          lpad(i::text, 10, '0'), 'host-' || i, 'tcp', case when i % 100 = 1 then 8443 else 443 end, 'Result ' || i, i % 5,
          case when i % 10 = 0 then 'open' end, now(), now() - i * interval '1 second', now(), now(), now()
        from generate_series(1, $3::int) i`,
      rows,
    )
    await client.query(
      `insert into tasks (id, organization_id, engagement_id, title, description, status, priority, position, created_at, updated_at)
        select 'tsk_' || right($2, 8) || lpad(i::text, 18, '0'), $1, $2, 'Task ' || i, '', case when i % 100 = 1 then 'blocked' else 'open' end, i % 5, lpad(i::text, 10, '0'),
          now(), now()
        from generate_series(1, $3::int) i`,
      rows,
    )
    await client.query('vacuum analyze targets, target_verdicts, results, tasks, engagements')
    return engagementId
  })
