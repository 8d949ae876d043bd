// npm run target -- L5 [--out file] [--count n]: proves one target of load or fault, prints it and writes a report.
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStage } from '../../server/test/support/server-process.ts'
import { startDatabase } from '../lib/database.ts'
import { lineOf } from '../lib/figure.ts'
import { startSender } from '../lib/load.ts'
import { l1 } from './l1-kills.ts'
import { l2 } from './l2-postgres.ts'
import { l5 } from './l5-overload.ts'
import { l9 } from './l9-revocation.ts'
import { l10 } from './l10-slow-clients.ts'
import { l11 } from './l11-sign-ins.ts'
import { l13 } from './l13-full-disk.ts'
import { l14 } from './l14-mail.ts'
import { l15 } from './l15-migration.ts'
import type { Target } from './target.ts'
import { w5 } from './w5-webhooks.ts'

const TARGETS: readonly Target[] = [l1, l2, l5, l9, l10, l11, l13, l14, l15, w5]
const REPORTS = path.join(import.meta.dirname, '../reports')

const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' }, count: { type: 'string' } } })
const target = TARGETS.find(({ name }) => name === positionals[0]?.toUpperCase())
if (!target || positionals.length > 1) {
  console.error(`Usage: npm run target -- NAME [--count n] [--out file]\n${TARGETS.map(({ name, title }) => `  ${name.padEnd(4)} ${title}`).join('\n')}`)
  process.exit(2)
}

const stage = createStage()
const notes: string[] = []
const startedAt = new Date()
const database = await startDatabase()
const sender = startSender()
stage.add(() => database.stop())
stage.add(() => sender.stop())
console.log(`${target.name}   ${target.title}`)
try {
  const note = (text: string) => {
    notes.push(text)
    console.log(`     ${text}`)
  }
  const count = values.count === undefined ? target.count : Number(values.count)
  const results = await target.measure({ stage, database, sender, count, note })
  for (const measured of results) console.log(lineOf(measured))
  const file = values.out ?? path.join(REPORTS, `${target.name}-${startedAt.toISOString().replaceAll(/[:.]/g, '-')}.json`)
  const machine = { cores: os.availableParallelism(), loadAverage: os.loadavg(), node: process.version }
  const reached = results.every((result) => result.reached)
  mkdirSync(path.dirname(file), { recursive: true })
  const report = { target: target.name, title: target.title, reached, count, startedAt, endedAt: new Date(), machine, results, notes }
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`)
  console.log(`${reached ? 'reached' : 'MISSED'}; written to ${path.relative(process.cwd(), file)}`)
  process.exitCode = reached ? 0 : 1
} finally {
  await stage.close()
}
