import { text as readAll } from 'node:stream/consumers'
import { ApiError } from '@sortie/client/errors.ts'
import { type Api, openSession, requireEngagement } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { CliError, EXIT, usageError } from '../program/exit.ts'
import { print, printJson, withoutControls } from '../program/terminal.ts'

/** Characters of a title, as the server limits them. */
const MAX_TITLE_LENGTH = 200
/** How often a text is appended again after others changed the page meanwhile. */
const ATTEMPTS = 5

/** `sortie note`: standard input becomes a page of the wiki, or the end of one. */
export const noteCommand: Command = {
  name: 'note',
  usage: 'note [--title TITLE] | --append PAGE',
  summary: 'Make a wiki page of standard input, or append it to one.',
  details:
    'Without --title, a first line that is a Markdown heading is the title, otherwise the time is. PAGE is an id or the title of a page of the engagement. What others write at the same time is kept.',
  options: {
    title: { type: 'string', value: 'TITLE', about: 'the title of the new page' },
    append: { type: 'string', value: 'PAGE', about: 'add the text at the end of this page' },
    json: { type: 'boolean', about: 'print the page as JSON' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, { positionals, flag, text }) => {
    if (positionals.length > 0) throw usageError('The text comes from standard input.')
    const [title, page] = [text('title'), text('append')]
    if (title !== undefined && page !== undefined) throw usageError('A page that exists has its title.')
    const session = openSession(environment)
    const engagementId = requireEngagement(session, text('engagement'))
    const written = await readAll(process.stdin)
    if (written.trim() === '') throw usageError('Standard input is empty.')
    const { data } =
      page === undefined
        ? await session.api.createWikiPage({ body: { engagementId, ...newPage(written, title) } })
        : await append(session.api, await findPage(session.api, engagementId, page), written)
    if (flag('json')) printJson(data)
    else print(`${withoutControls(data.title)} (${data.id})`)
    return EXIT.ok
  },
}

const newPage = (written: string, title: string | undefined): { title: string; body: string } => {
  if (title !== undefined) return { title, body: written }
  const text = written.trimStart()
  const end = text.indexOf('\n')
  const line = end < 0 ? text : text.slice(0, end)
  const rest = end < 0 ? '' : text.slice(end + 1)
  const heading = /^#{1,6} /.test(line) ? line.slice(line.indexOf(' ')).trim() : ''
  if (heading !== '' && heading.length <= MAX_TITLE_LENGTH) return { title: heading, body: rest.trimStart() }
  return { title: `Note of ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`, body: written }
}

const findPage = async (api: Api, engagementId: string, wanted: string): Promise<string> => {
  if (wanted.startsWith('wik_')) return wanted
  const { data } = await api.listWikiPages({ query: { engagementId, q: wanted, perPage: 100 } })
  const exact = data.filter(({ title }) => title === wanted)
  const found = exact.length > 0 ? exact : data
  const [first, ...others] = found
  if (!first) throw new CliError(EXIT.failure, `The engagement has no page with "${wanted}" in its title.`)
  if (others.length > 0) throw usageError(`${found.length} pages have "${wanted}" in their titles: give an id.`)
  return first.id
}

const append = async (api: Api, pageId: string, written: string) => {
  for (let attempt = 1; ; attempt++) {
    const { data: page } = await api.getWikiPage({ params: { pageId } })
    const body = page.body.trim() === '' ? written : `${page.body.trimEnd()}\n\n${written}`
    try {
      return await api.updateWikiPage({ params: { pageId }, body: { body, baseRevision: page.revision } })
    } catch (error) {
      // Someone else wrote at the end meanwhile.
      if (!(error instanceof ApiError) || error.statusCode !== 409 || attempt === ATTEMPTS) throw error
    }
  }
}
