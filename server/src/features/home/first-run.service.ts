import { FIRST_RUN_STEPS, type FirstRun } from '@sortie/contract/account/home.ts'
import type { Static } from 'typebox'
import type { Actor } from '../../platform/auth/actor.ts'
import { isPermitted, requirementOf } from '../../platform/auth/guard.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Writer } from '../../platform/context.ts'
import type { Database } from '../../platform/database/connection/open.ts'
import * as query from './home.queries.ts'

type Step = (typeof FIRST_RUN_STEPS)[number]
type Run = Static<typeof FirstRun>

/** The first steps of the signed-in account that its rights allow. */
export const getFirstRun = async (db: Database, config: Config, actor: Actor): Promise<Run> => {
  const run = await query.findFirstRun(db, actor.id)
  const steps: Run['steps'] = []
  for (const step of FIRST_RUN_STEPS)
    if (await isOffered(db, config, actor, step)) steps.push({ step, state: run?.steps[step] ?? 'open' })
  return { steps, isFinished: run?.finished_at != null || steps.every(({ state }) => state !== 'open') }
}

const isOffered = async (db: Database, config: Config, actor: Actor, step: Step): Promise<boolean> => {
  if (step === 'password') return query.findHasPassword(db, actor.id)
  if (step !== 'engagement') return isPermitted(actor, requirementOf('role:admin', config))
  return (
    isPermitted(actor, requirementOf('setting:ENGAGEMENT_WRITE_SCOPE', config)) ||
    query.findMembersMayCreate(db, actor.organizationId)
  )
}

/** Keeps done and skipped steps. Once none is open, the first run is over for good. */
export const updateFirstRun = (
  { change, clock, config }: Writer,
  actor: Actor,
  wanted: Partial<Record<Step, 'done' | 'skipped'>>,
): Promise<Run> =>
  change(async (tx) => {
    const before = await query.findFirstRun(tx, actor.id)
    const given = Object.entries(wanted).filter(([, state]) => state !== undefined)
    const steps = { ...before?.steps, ...(Object.fromEntries(given) as Record<string, 'done' | 'skipped'>) }
    if (given.length > 0) await query.upsertFirstRun(tx, actor.id, steps, before?.finished_at ?? null)
    const run = await getFirstRun(tx, config, actor)
    if (run.isFinished && before?.finished_at == null)
      await query.upsertFirstRun(tx, actor.id, steps, isoTime(clock.now()))
    return run
  })
