import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '@sortie/client/calls.ts'
import { type Api, openSession } from '../account/session.ts'
import type { Arguments, Command } from '../program/command.ts'
import { CliError, EXIT, usageError } from '../program/exit.ts'
import { note, print, withoutControls } from '../program/terminal.ts'

type Render = Output<'renderReport'>['data']
type Format = Render['format']

/** Formats with the ends of their files' names. */
const FORMATS: Readonly<Record<Format, string>> = {
  pdf: 'pdf',
  docx: 'docx',
  html: 'html',
  markdown: 'zip',
  json: 'json',
  sarif: 'sarif',
}
/** Seconds that the server may take before it answers; it goes on afterwards. */
const WAIT_SECONDS = 30
const PAUSE_MS = 1_000

/** `sortie report render` and `report download`. */
export const report: Command = {
  name: 'report',
  actions: ['render', 'download'],
  usage: 'report render REPORT | download EDITION  [--format FORMAT] [--output FILE]',
  summary: 'Render a report as it is now, or download a file of an edition.',
  details:
    'A render has the watermark of a draft; an edition is what was delivered, and each download is in the audit log. The file is written only if its hash is that of the server. A file that exists is replaced only if --output names it; with - it goes to standard output.',
  options: {
    format: { type: 'string', value: Object.keys(FORMATS).join('|'), about: 'default pdf' },
    output: { type: 'string', value: 'FILE', about: 'where to; default: the id with the ending of the format' },
  },
  run: async (environment, args) => {
    const [action, id, ...others] = args.positionals
    if ((action !== 'render' && action !== 'download') || id === undefined || others.length > 0)
      throw usageError('Use `sortie report render REPORT` or `sortie report download EDITION`.')
    const format = formatOf(args)
    const output = args.text('output') ?? `${id}.${FORMATS[format]}`
    if (args.text('output') === undefined && existsSync(output))
      throw usageError(`${output} exists: choose another name with --output.`)
    const { api } = openSession(environment)
    const { response, sha256 } = await (action === 'render' ? render(api, id, format) : edition(api, id, format))
    await save(response, output, sha256)
    if (output !== '-') print(output)
    return EXIT.ok
  },
}

const formatOf = ({ text }: Arguments): Format => {
  const given = text('format') ?? 'pdf'
  const found = (Object.keys(FORMATS) as Format[]).find((format) => format === given)
  if (!found) throw usageError(`--format is one of ${Object.keys(FORMATS).join(', ')}.`)
  return found
}

interface Found {
  response: Response
  sha256: string | null
}

const render = async (api: Api, reportId: string, format: Format): Promise<Found> => {
  let { data } = await api.renderReport({ params: { reportId }, body: { format, wait: WAIT_SECONDS } })
  while (data.state === 'queued' || data.state === 'running') {
    await sleep(PAUSE_MS)
    data = (await api.getReportRender({ params: { renderId: data.id } })).data
  }
  for (const { level, message, where } of data.problems)
    note(withoutControls(`${level}${where === null ? '' : ` in ${where}`}: ${message}`))
  if (data.state !== 'succeeded') throw new CliError(EXIT.failure, `The report could not be rendered (${data.state}).`)
  return { response: await api.downloadReportRender({ params: { renderId: data.id } }), sha256: data.sha256 }
}

const edition = async (api: Api, editionId: string, format: Format): Promise<Found> => {
  const { data } = await api.getReportEdition({ params: { editionId } })
  const file = data.files.find((each) => each.format === format)
  if (!file)
    throw usageError(`This edition has the formats ${data.files.map((each) => each.format).join(', ')}: name one.`)
  return { response: await api.downloadReportEdition({ params: { editionId, format } }), sha256: file.sha256 }
}

/** @throws CliError for a file that did not arrive as a whole; what was there before then stays */
const save = async ({ body }: Response, output: string, sha256: string | null): Promise<void> => {
  if (!body) throw new CliError(EXIT.failure, 'The server sent no file.')
  const hash = createHash('sha256')
  const write = (to: Writable) =>
    pipeline(
      Readable.fromWeb(body),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      to,
      { end: to !== process.stdout },
    )
  const isWrong = () => sha256 !== null && hash.digest('hex') !== sha256
  const wrong = new CliError(EXIT.failure, 'The file is not the one that the server has: try again.')
  if (output === '-') {
    await write(process.stdout)
    if (isWrong()) throw wrong
    return
  }
  const unfinished = `${output}.${process.pid}.part`
  try {
    await write(createWriteStream(unfinished, { flags: 'wx' }))
    if (isWrong()) throw wrong
    renameSync(unfinished, output)
  } finally {
    rmSync(unfinished, { force: true })
  }
}
