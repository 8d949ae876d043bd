import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSession, requireEngagement, type Api } from '../account/session.ts'
import { describeImport, type Import, streamOf } from '../outbox/send.ts'
import type { Command } from '../program/command.ts'
import { CliError, describeError, EXIT, usageError } from '../program/exit.ts'
import { note, print, printJson } from '../program/terminal.ts'

/** Seconds that the server waits for the end of an import before it answers. */
const WAIT_SECONDS = 20
/** Between two questions whether an import has ended. */
const PAUSE_MS = 1_000
const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const
type Severity = (typeof SEVERITIES)[number]

/** `sortie import`: uploads files of scanners. */
export const importFiles: Command = {
  name: 'import',
  usage: 'import FILE ... | -  [OPTIONS]',
  summary: 'Import files of scanners, or standard input.',
  details:
    'The format is detected from the content. Exit code 1 if a file was not imported; 10 if --fail-on found something.',
  options: {
    preview: { type: 'boolean', about: 'show what would change, and change nothing' },
    'fail-on': {
      type: 'string',
      value: SEVERITIES.join('|'),
      about: 'exit code 10 if a file reports open or confirmed vulnerabilities of this severity or above',
    },
    'file-name': { type: 'string', value: 'NAME', about: 'the name of standard input' },
    json: { type: 'boolean', about: 'print one JSON object per file' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, { positionals, flag, text }) => {
    if (positionals.length === 0) throw usageError('Name files, or - for standard input.')
    const failOn = severityOf(text('fail-on'))
    for (const file of positionals) if (file !== '-' && !existsSync(file)) throw usageError(`There is no file ${file}.`)
    const session = openSession(environment)
    const engagementId = requireEngagement(session, text('engagement'))
    const importIds: string[] = []
    let code: number = EXIT.ok
    for (const file of positionals) {
      const name = file === '-' ? (text('file-name') ?? 'standard-input') : path.basename(file)
      try {
        const found = await importOne(session.api, engagementId, file, name, flag('preview'))
        if (flag('json')) printJson(found)
        else print(`${describeImport(found)}.`)
        for (const warning of found.warnings) note(warning)
        importIds.push(found.id)
        if (found.state === 'failed') code = EXIT.failure
      } catch (error) {
        if (positionals.length === 1) throw error
        const described = describeError(error)
        note(`${file}: ${described.message}`)
        code = described.code
      }
    }
    if (code !== EXIT.ok || failOn === undefined || flag('preview')) return code
    return (await hasReported(session.api, engagementId, importIds, failOn)) ? EXIT.failedOn : EXIT.ok
  },
}

const severityOf = (text: string | undefined): Severity | undefined => {
  if (text === undefined) return undefined
  const found = SEVERITIES.find((severity) => severity === text)
  if (!found) throw usageError(`--fail-on is one of ${SEVERITIES.join(', ')}.`)
  return found
}

const importOne = async (
  api: Api,
  engagementId: string,
  file: string,
  fileName: string,
  isPreview: boolean,
): Promise<Import> => {
  const body = file === '-' ? new Blob([await standardInput()]) : streamOf(file)
  const { data } = await api.createImport({
    query: { engagementId, fileName, wait: WAIT_SECONDS, ...(isPreview && { mode: 'preview' }) },
    body,
  })
  let found = data
  while (found.state === 'received' || found.state === 'parsing') {
    await sleep(PAUSE_MS)
    found = (await api.getImport({ params: { importId: found.id } })).data
  }
  return found
}

const standardInput = async (): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  const bytes = Buffer.concat(chunks)
  if (bytes.length === 0) throw new CliError(EXIT.usage, 'Standard input is empty.')
  return bytes
}

/** Imports in one filter. */
const IMPORTS_AT_ONCE = 50

const hasReported = async (
  api: Api,
  engagementId: string,
  importIds: readonly string[],
  atLeast: Severity,
): Promise<boolean> => {
  const severity = SEVERITIES.slice(SEVERITIES.indexOf(atLeast))
  for (let from = 0; from < importIds.length; from += IMPORTS_AT_ONCE) {
    const { data } = await api.listResults({
      query: {
        engagementId,
        importId: importIds.slice(from, from + IMPORTS_AT_ONCE),
        kind: ['vulnerability'],
        severity,
        status: ['open', 'confirmed'],
        state: ['present'],
        perPage: 1,
      },
    })
    if (data.length > 0) return true
  }
  return false
}
