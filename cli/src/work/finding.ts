import { openSession, requireEngagement } from '../account/session.ts'
import type { Command } from '../program/command.ts'
import { EXIT, usageError } from '../program/exit.ts'
import { print, printJson, withoutControls } from '../program/terminal.ts'

/** `sortie finding new --from res_...`: makes a finding of results. */
export const finding: Command = {
  name: 'finding',
  actions: ['new'],
  usage: 'finding new --from RESULT ... [--title TITLE]',
  summary: 'Make a finding of results.',
  details:
    'Results are named by their ids, with spaces or commas between them. They become its affected assets; title, severity and proof come from them. `findings` lists and changes findings.',
  options: {
    from: { type: 'string', multiple: true, value: 'RESULT', about: 'ids of results' },
    title: { type: 'string', value: 'TITLE', about: 'the title, instead of that of the results' },
    entry: { type: 'string', value: 'ID', about: 'the entry of the library that it gets its texts from' },
    json: { type: 'boolean', about: 'print the finding as JSON' },
    engagement: { type: 'string', value: 'ID', about: 'the engagement, instead of the chosen one' },
  },
  run: async (environment, { positionals, flag, text, texts }) => {
    const [action, ...further] = positionals
    if (action !== 'new') throw usageError('A finding is made with `sortie finding new --from RESULT ...`.')
    const resultIds = [...new Set([...texts('from'), ...further].flatMap((each) => each.split(',')))].filter(
      (id) => id !== '',
    )
    if (resultIds.length === 0) throw usageError('Name results with --from: `sortie results list` shows their ids.')
    const session = openSession(environment)
    const engagementId = requireEngagement(session, text('engagement'))
    const [title, libraryEntryId] = [text('title'), text('entry')]
    const { data } = await session.api.createFinding({
      body: {
        engagementId,
        resultIds,
        ...(title !== undefined && { title }),
        ...(libraryEntryId !== undefined && { libraryEntryId }),
      },
    })
    if (flag('json')) printJson(data)
    else print(`${data.severity}  ${withoutControls(data.title)} (${data.id})`)
    return EXIT.ok
  },
}
