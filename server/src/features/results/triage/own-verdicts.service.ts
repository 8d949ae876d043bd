import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { ownVerdictOf } from '../../inventory/ingest/own-verdicts.ts'
import type { RuleSet } from '../../scope/rules/rule-set.ts'
import { listForEvaluation, PARTS, updateOwnVerdicts } from './own-verdicts.queries.ts'

/** Results per batch: a few milliseconds. */
const JUDGED_AT_ONCE = 2_000

/**
 * Re-evaluates the results whose verdict may differ from their target's. The caller holds the engagement's lock, so its
 * rules do not change.
 */
export const reevaluateResults = async (
  tx: Transaction,
  organizationId: string,
  engagementId: string,
  rules: RuleSet,
): Promise<void> => {
  const named = {
    hosts: [...rules.urls.keys()].map((origin) => hostOf(new URL(origin))),
    ports: [...(rules.ports?.keys() ?? [])],
  }
  for (const part of PARTS) {
    if ((part === 'hosts' || part === 'ports') && named[part].length === 0) continue
    for (let after = ''; ;) {
      const rows = await listForEvaluation(tx, { organizationId, engagementId }, part, named, after, JUDGED_AT_ONCE)
      const evaluated = rows.map((row) => ({ row, verdict: ownVerdictOf(rules, row) }))
      const changed = evaluated.filter(({ row, verdict }) => verdict !== row.own_verdict)
      await updateOwnVerdicts(
        tx,
        organizationId,
        changed.map(({ row: { id }, verdict }) => ({ id, verdict })),
      )
      await nextTurn()
      if (rows.length < JUDGED_AT_ONCE) break
      after = rows.at(-1)?.id as string
    }
  }
}

const hostOf = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)
